import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import {
  AppError,
  createNulError,
  type FieldProblem,
  hasNul,
  PATTERN_MESSAGES,
  type Part,
  type Route,
  toFieldProblems,
  toValidationError,
} from "@parley/core";
import { readJson } from "@parley/core/http";
import { hostTexts } from "../../texts.ts";
import { createFormLimits, readBoundary } from "../form-limits.ts";
import { resolveMaxNames } from "./max-names.ts";

/** Maximum count of parts in a form that is read whole: as many as an archive may have files. */
const MAX_PARTS = 1_000;
const READ_ONLY_FIELDS = ["id", "created_at", "updated_at", "revision"];

export interface ReadBody {
  readonly body: unknown;
  readonly parts: readonly Part[];
}

/** Reads the body of a route: checks type, size, depth, and the route's schema. */
export async function readBody(
  route: Route,
  bytes: Uint8Array,
  type: string | undefined,
  params: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<ReadBody> {
  const kind = route.payload ?? "json";
  if (kind === "raw") return { body: undefined, parts: [{ name: "", type: type ?? "", bytes }] };
  if (kind === "upload") return { body: undefined, parts: [] };
  const isMultipart = /^multipart\/form-data\b/i.test(type ?? "");
  if (kind === "document") return { body: undefined, parts: await readDocumentParts(bytes, type ?? "", isMultipart) };
  if (kind === "multipart") {
    if (!isMultipart) throw hostTexts.error("bad_request", "multipart_type");
    const parts = await readParts(bytes, type ?? "");
    const texts = parts.filter(({ filename }) => filename === undefined);
    const body = Object.fromEntries(texts.map((part) => [part.name, Buffer.from(part.bytes).toString("utf8")]));
    return { body: route.body ? validate(route.body, body, "form") : body, parts };
  }
  if (kind === "json-or-file" && isMultipart) {
    const parts = await readParts(bytes, type ?? "");
    const file = parts.find(({ name }) => name === "file");
    if (!file) throw hostTexts.error("bad_request", "missing", {}, { field: "file" });
    return { body: validateBody(route, unwrap(await readJsonPart(file, maxBytes)), params), parts };
  }
  if (bytes.length > 0 && !isJson(type)) {
    throw hostTexts.error("bad_request", "json_type");
  }
  const takesList = kind === "json-or-file";
  const json = await readJson(bytes, maxBytes, { takesList, maxNames: takesList ? undefined : resolveMaxNames(route) });
  return { body: validateBody(route, kind === "json-or-file" ? unwrap(json) : json, params), parts: [] };
}

/** Reads a JSON file part. A file of another kind is rejected by its name, because the person who chose it does not see a body. */
async function readJsonPart({ bytes, filename = "file" }: Part, maxBytes: number): Promise<object> {
  try {
    return await readJson(bytes, maxBytes, { takesList: true });
  } catch (cause) {
    throw AppError.is(cause) ? toFileError(filename, cause) : cause;
  }
}

const NOT_JSON_KEYS = new Set(["core.no_json", "core.no_utf8", "core.json_object"]);

/** Converts a JSON error of a file: with its position, or as a wrong kind of file when it fails at the first character. */
function toFileError(name: string, cause: AppError): AppError {
  const { key = "", params = {} } = cause.detail ?? {};
  if (!NOT_JSON_KEYS.has(key)) return cause;
  const [line, column] = [Number(params.line ?? 1), Number(params.column ?? 1)];
  return line === 1 && column === 1
    ? hostTexts.error("bad_request", "json_file", { name }, { cause })
    : hostTexts.error("bad_request", "json_file_at", { name, line, column }, { cause });
}

/** Reads the file of a form with its options, or the JSON sent instead of the file. */
async function readDocumentParts(bytes: Uint8Array, type: string, isMultipart: boolean): Promise<readonly Part[]> {
  if (!isMultipart && !isJson(type)) {
    throw hostTexts.error("bad_request", "json_or_multipart");
  }
  const parts = isMultipart ? await readParts(bytes, type) : [{ name: "file", type, bytes }];
  if (!parts.some(({ name }) => name === "file"))
    throw hostTexts.error("bad_request", "missing", {}, { field: "file" });
  return parts;
}

function isJson(type: string | undefined): boolean {
  return /^application\/json\b/i.test(type ?? "");
}

/** Validates a value. In JSON, strings are not converted to numbers or switches; forms and queries have only strings. */
export function validate(schema: ObjectSchema, value: unknown, what: "body" | "form" | "query"): unknown {
  // For JSON the parser has already checked this.
  if (what !== "body" && hasNul(value)) throw createNulError(what);
  const options = { stripUnknown: what === "query" } as const;
  const given = what === "body" ? value : convertSwitches(schema, value);
  const strict = withMessages(schema);
  const result = strict.validate(given, options);
  // Collecting all errors of a long value would block the event loop.
  const whole = result.error && isShort(given) ? strict.validate(given, { ...options, abortEarly: false }) : result;
  const schemaProblems = whole.error ? toFieldProblems(whole.error) : [];
  const conversionProblems = what === "body" ? findConversions(value, whole.value, "") : [];
  if (schemaProblems.length + conversionProblems.length === 0) return result.value;
  throw toValidationError([...schemaProblems, ...conversionProblems], what);
}

const MAX_VALUES = 1_000;

function isShort(value: unknown): boolean {
  let left = MAX_VALUES;
  const count = (one: unknown) => {
    left -= 1;
    if (typeof one !== "object" || one === null) return;
    for (const inner of Object.values(one)) {
      if (left <= 0) return;
      count(inner);
    }
  };
  count(value);
  return left > 0;
}

const schemasWithMessages = new WeakMap<ObjectSchema, ObjectSchema>();

// Attaches messages to the schema, because joi would parse those given to `validate` for each request, a tenth of its time.
function withMessages(schema: ObjectSchema): ObjectSchema {
  const made =
    schemasWithMessages.get(schema) ?? schema.prefs({ errors: { label: false }, messages: PATTERN_MESSAGES });
  schemasWithMessages.set(schema, made);
  return made;
}

const switchNamesBySchema = new WeakMap<ObjectSchema, ReadonlySet<string>>();

function listSwitches(schema: ObjectSchema): ReadonlySet<string> {
  const keys = (schema.describe().keys ?? {}) as Readonly<Record<string, { readonly type?: string }>>;
  return new Set(Object.keys(keys).filter((name) => keys[name]?.type === "boolean"));
}

/** Converts `1` and `0` to booleans, where the schema has one. */
function convertSwitches(schema: ObjectSchema, value: unknown): unknown {
  const names = switchNamesBySchema.get(schema) ?? listSwitches(schema);
  switchNamesBySchema.set(schema, names);
  const written = (name: string, text: unknown) => {
    if (!names.has(name)) return text;
    return text === "1" ? "true" : text === "0" ? "false" : text;
  };
  return Object.fromEntries(Object.entries(Object(value)).map(([name, text]) => [name, written(name, text)]));
}

function validateBody(route: Route, json: unknown, params: Readonly<Record<string, string>>): unknown {
  if (!route.body) return undefined;
  const body = route.method === "PUT" ? omitReadOnly(route, route.body, json as Record<string, unknown>, params) : json;
  return validate(route.body, body, "body");
}

const keysBySchema = new WeakMap<Schema, object>();

function listKeys(schema: Schema): object {
  const keys = keysBySchema.get(schema) ?? schema.describe().keys ?? {};
  keysBySchema.set(schema, keys);
  return keys;
}

/** Removes fields that the route returns but does not accept, so that a record can be sent back as it was answered. */
function omitReadOnly(
  { data }: Route,
  schema: ObjectSchema,
  json: Record<string, unknown>,
  params: Readonly<Record<string, string>>,
) {
  const known = listKeys(schema);
  const answered = Joi.isSchema(data) ? listKeys(data) : {};
  const own = Object.values(params).at(-1);
  // A singleton record has no id in its path.
  if (own !== undefined && "id" in json && !("id" in known) && json.id !== own) {
    throw hostTexts.error("bad_request", "other_id", {}, { field: "id" });
  }
  return Object.fromEntries(
    Object.entries(json).filter(([key]) => key in known || !(key in answered || READ_ONLY_FIELDS.includes(key))),
  );
}

// Accepts a saved response: only its `data` counts.
function unwrap(json: unknown): unknown {
  const { success, data } = json as { success?: unknown; data?: unknown };
  const whole = success === true && typeof data === "object" && data !== null ? data : json;
  // A plain list counts as the `items` of an object.
  return Array.isArray(whole) ? { items: whole } : whole;
}

/** Returns the texts that the schema has converted to numbers or booleans. */
function findConversions(before: unknown, after: unknown, path: string): readonly FieldProblem[] {
  // The schema did not convert the value.
  if (before === after) return [];
  if (typeof before === "string" && (typeof after === "number" || typeof after === "boolean")) {
    return [{ key: `${typeof after}.base`, field: path, error: `must be a ${typeof after}` }];
  }
  if (typeof before !== "object" || before === null || typeof after !== "object" || after === null) return [];
  return Object.entries(after).flatMap(([key, value]) => {
    const given = (before as Record<string, unknown>)[key];
    return given === undefined ? [] : findConversions(given, value, path ? `${path}.${key}` : key);
  });
}

async function readParts(bytes: Uint8Array, type: string): Promise<readonly Part[]> {
  const rejection = createFormLimits(readBoundary(type) ?? "", MAX_PARTS).add(Buffer.from(bytes));
  if (rejection) throw rejection;
  const form = await new Response(Buffer.from(bytes), { headers: { "content-type": type } })
    .formData()
    .catch((cause) => {
      throw hostTexts.error("bad_request", "not_multipart", {}, { field: "body", cause });
    });
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === "string"
        ? { name, type: "text/plain", bytes: Buffer.from(value) }
        : { name, filename: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) },
    ),
  );
}
