import type { FieldSchema } from "./schema-field.tsx";
import type { FormSchema } from "./schema-form.tsx";

const MAX_FIELDS = 200;
const MAX_DEPTH = 3;
const MAX_TEXT = 1_000;
const KNOWN = new Set(["string", "number", "integer", "boolean", "array", "object"]);
// Written so that nobody sees them: they could make a text look like another one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

type Json = Readonly<Record<string, unknown>>;

/**
 * What a stranger's JSON Schema says of its fields, as far as a form can show it: nothing in it is trusted to be what it
 * should be, and what has no form is written as JSON.
 */
export function readSchema(schema: unknown): FormSchema {
  const root = asObject(schema);
  return readObject(resolved(root, root), root, 0);
}

/** A text of strangers without characters that nobody sees. */
export function seenText(value: unknown, most = MAX_TEXT): string {
  const text = typeof value === "string" ? value.slice(0, most * 2).replace(UNSEEN, "") : "";
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function readObject(schema: Json, root: Json, depth: number): FormSchema {
  const fields = Object.entries(asObject(schema.properties)).slice(0, MAX_FIELDS);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return {
    properties: Object.fromEntries(fields.map(([name, field]) => [name, readField(field, root, depth + 1)])),
    required: required.filter((name) => fields.some(([known]) => known === name)),
  };
}

function readField(value: unknown, root: Json, depth: number): FieldSchema {
  const schema = resolved(value, root);
  const type = typeOf(schema);
  const description = seenText(schema.description) || seenText(schema.title);
  const options = Array.isArray(schema.enum) ? schema.enum.filter(isPlain) : [];
  const properties = type === "object" && depth < MAX_DEPTH ? readObject(schema, root, depth).properties : undefined;
  const items = type === "array" ? readField(schema.items, root, depth + 1) : undefined;
  return {
    type,
    ...(description !== "" && { description }),
    ...(options.length > 0 && { enum: options }),
    ...(schema.default !== undefined && { default: schema.default }),
    ...(properties && { properties }),
    ...(items && depth < MAX_DEPTH && { items }),
    ...numbersOf(schema),
    ...(schema.format === "uri" && { format: "uri" }),
  };
}

function numbersOf(schema: Json): Partial<FieldSchema> {
  const keys = ["minimum", "maximum", "minLength", "maxLength"] as const;
  return Object.fromEntries(keys.flatMap((key) => (typeof schema[key] === "number" ? [[key, schema[key]]] : [])));
}

/** `json` where no single known type is named. */
function typeOf({ type, enum: options }: Json): string {
  const named = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  const [only] = named;
  if (named.length === 1 && typeof only === "string" && KNOWN.has(only)) return only;
  return Array.isArray(options) && options.every((one) => typeof one === "string") ? "string" : "json";
}

/** Follows references within the document, and the one choice that is not "nothing". */
function resolved(value: unknown, root: Json): Json {
  let schema = asObject(value);
  for (let step = 0; step < 5; step += 1) {
    const next = target(schema, root);
    if (!next) return schema;
    const { $ref: _, anyOf: __, oneOf: ___, ...own } = schema;
    schema = { ...next, ...own };
  }
  return schema;
}

function target(schema: Json, root: Json): Json | undefined {
  if (typeof schema.$ref === "string" && schema.$ref.startsWith("#/")) {
    const steps = schema.$ref.slice(2).split("/");
    return asObject(
      steps.reduce<unknown>((at, step) => (Object.hasOwn(asObject(at), step) ? asObject(at)[step] : {}), root),
    );
  }
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray) ?? [];
  const some = choices.map(asObject).filter(({ type }) => type !== "null");
  return some.length === 1 ? some[0] : undefined;
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
