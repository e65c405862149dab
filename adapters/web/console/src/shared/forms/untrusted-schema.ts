import { type JsonObject, toJsonObject } from "../json-object.ts";
import type { FieldSchema, FormSchema } from "./schema.ts";

const MAX_FIELDS = 200;
const MAX_DEPTH = 3;
const MAX_TEXT = 1_000;
const KNOWN_TYPES = new Set(["string", "number", "integer", "boolean", "array", "object"]);
// Invisible characters could make a text look like another one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const INVISIBLE_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Reads an untrusted JSON Schema as far as a form can show it: every value is checked, and what has no form field is edited as JSON. */
export function readSchema(schema: unknown): FormSchema {
  const root = toJsonObject(schema);
  return readObject(resolveRef(root, root), root, 0);
}

/** Removes invisible characters from an untrusted text, and truncates it. */
export function toVisibleText(value: unknown, maxLength = MAX_TEXT): string {
  const text = typeof value === "string" ? value.slice(0, maxLength * 2).replace(INVISIBLE_CHARACTERS, "") : "";
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function readObject(schema: JsonObject, root: JsonObject, depth: number): FormSchema {
  const fields = Object.entries(toJsonObject(schema.properties)).slice(0, MAX_FIELDS);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return {
    properties: Object.fromEntries(fields.map(([name, field]) => [name, readField(field, root, depth + 1)])),
    required: required.filter((name) => fields.some(([known]) => known === name)),
  };
}

function readField(value: unknown, root: JsonObject, depth: number): FieldSchema {
  const schema = resolveRef(value, root);
  const type = readType(schema);
  const description = toVisibleText(schema.description) || toVisibleText(schema.title);
  const options = Array.isArray(schema.enum) ? schema.enum.filter(isScalar) : [];
  const properties = type === "object" && depth < MAX_DEPTH ? readObject(schema, root, depth).properties : undefined;
  const items = type === "array" ? readField(schema.items, root, depth + 1) : undefined;
  return {
    type,
    ...(description !== "" && { description }),
    ...(options.length > 0 && { enum: options }),
    ...(schema.default !== undefined && { default: schema.default }),
    ...(properties && { properties }),
    ...(items && depth < MAX_DEPTH && { items }),
    ...readLimits(schema),
    ...(schema.format === "uri" && { format: "uri" }),
  };
}

function readLimits(schema: JsonObject): Partial<FieldSchema> {
  const keys = ["minimum", "maximum", "minLength", "maxLength"] as const;
  return Object.fromEntries(keys.flatMap((key) => (typeof schema[key] === "number" ? [[key, schema[key]]] : [])));
}

/** Returns the type of a field; `json` unless exactly one known type is named. */
function readType({ type, enum: options }: JsonObject): string {
  const named = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  const [only] = named;
  if (named.length === 1 && typeof only === "string" && KNOWN_TYPES.has(only)) return only;
  return Array.isArray(options) && options.every((one) => typeof one === "string") ? "string" : "json";
}

/** Resolves references within the document, and a choice whose only alternative is null. */
function resolveRef(value: unknown, root: JsonObject): JsonObject {
  let schema = toJsonObject(value);
  for (let step = 0; step < 5; step += 1) {
    const next = findTarget(schema, root);
    if (!next) return schema;
    const { $ref: _, anyOf: __, oneOf: ___, ...own } = schema;
    schema = { ...next, ...own };
  }
  return schema;
}

function findTarget(schema: JsonObject, root: JsonObject): JsonObject | undefined {
  if (typeof schema.$ref === "string" && schema.$ref.startsWith("#/")) {
    const steps = schema.$ref.slice(2).split("/");
    return toJsonObject(
      steps.reduce<unknown>((at, step) => (Object.hasOwn(toJsonObject(at), step) ? toJsonObject(at)[step] : {}), root),
    );
  }
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray) ?? [];
  const some = choices.map(toJsonObject).filter(({ type }) => type !== "null");
  return some.length === 1 ? some[0] : undefined;
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
