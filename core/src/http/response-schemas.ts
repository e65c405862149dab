import { isDeepStrictEqual } from "node:util";
import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import type { LocalizedError } from "../errors.ts";
import { toLocalizedSchema } from "../validation/localized-schema.ts";

type Fields<Shape> = { readonly [Field in keyof Shape]-?: Schema };
type OpenShape = Readonly<Record<string, unknown>>;

/** Joi extended by objects with a name; the API description contains each once and refers to it. */
const namedSchemas = Joi.extend((joi) => ({
  type: "object",
  base: joi.object(),
  jsonSchema(schema: ObjectSchema, result: object, mode: "input" | "output", options: NamingOptions) {
    const name = readShapeName(schema);
    const { named, namedAt } = options;
    const plain = Joi.object()
      .concat(schema)
      .disallow(null)
      ["~standard"].jsonSchema[mode](options as never);
    if (name === undefined || !named) return { ...result, ...plain };
    const other = named.get(name);
    if (other && !isDeepStrictEqual(other, plain))
      throw new Error(`two answers of different shapes are named '${name}'`);
    named.set(name, plain);
    return { $ref: `${namedAt}${name}` };
  },
})) as { object(): ObjectSchema };

/** Options of a JSON Schema conversion that puts named objects into a shared map. */
export interface NamingOptions {
  /** Schemas of the named objects, by name. */
  readonly named?: Map<string, object>;
  /** Prefix of references to names: `#/components/schemas/`. */
  readonly namedAt?: string;
}

function readShapeName(schema: Schema): string | undefined {
  const metas = (schema.$_terms.metas ?? []) as readonly { readonly shape?: string }[];
  return metas.find(({ shape }) => shape !== undefined)?.shape;
}

/**
 * Creates the schema of an answered object: every field is required unless `.optional()`, and no others are allowed.
 * With a name (`Session`) it appears once in the API description.
 */
export function shape<Shape = OpenShape>(fields: Fields<Shape>, name?: string): ObjectSchema<Shape> {
  const keys = Object.entries<Schema>(fields).map(([field, schema]) => {
    const { presence } = (schema as unknown as { readonly _flags: { readonly presence?: string } })._flags;
    return [field, presence === undefined ? schema.required() : schema] as const;
  });
  const made = namedSchemas.object().keys(Object.fromEntries(keys));
  return name === undefined ? made : made.meta({ shape: name });
}

/** Returns a shape with more fields, named or unnamed. */
export function extend<Shape = OpenShape>(
  base: ObjectSchema,
  fields: Readonly<Record<string, Schema>>,
  name?: string,
): ObjectSchema<Shape> {
  const own = Object.fromEntries(base.$_terms.keys.map(({ key, schema }: SchemaKey) => [key, schema]));
  return shape({ ...own, ...fields }, name) as ObjectSchema<Shape>;
}

/** Returns a shape without some fields. */
export function without(base: ObjectSchema, fields: readonly string[], name?: string): ObjectSchema {
  const own = base.$_terms.keys.filter(({ key }: SchemaKey) => !fields.includes(key));
  return shape(Object.fromEntries(own.map(({ key, schema }: SchemaKey) => [key, schema])), name);
}

interface SchemaKey {
  readonly key: string;
  readonly schema: Schema;
}

const text = Joi.string().allow("");
const time = Joi.string().isoDate();
const count = Joi.number().integer();
const localized = toLocalizedSchema(text);

/** Schemas for fields of answers. */
export const answerFields = {
  /** May be empty. */
  text,
  id: Joi.string(),
  /** ISO 8601 UTC. */
  time,
  flag: Joi.boolean(),
  number: Joi.number(),
  /** A whole number. */
  count,
  texts: Joi.array().items(text),
  localized,
  anything: Joi.any(),
  record: Joi.object().unknown(),
  /** Schema of a text that is one of these words. */
  word: (...words: readonly string[]): Schema<string> => Joi.string().valid(...words),
  orNull: <T>(schema: Schema<T>): Schema<T | null> => schema.allow(null),
  listOf: (item: Schema): Schema => Joi.array().items(item),
  /** Values of one kind under names that are data. */
  mapOf: (value: Schema): Schema => Joi.object().pattern(Joi.any(), value),
  either: (...schemas: readonly Schema[]): Schema => Joi.alternatives().try(...schemas),
} as const;

/** Fields of every record besides its id. */
export const commonFields = { created_at: time, updated_at: time, revision: count.min(1) } as const;

/** Schema of a list answer: a page of items; `more` adds fields beside it. */
export function listData(item: Schema, more: Readonly<Record<string, Schema>> = {}): ObjectSchema {
  return shape({ items: Joi.array().items(item), total: count, limit: count, offset: count, ...more });
}

/** Schema of the answer to the DELETE of one record. */
export const deletedData: ObjectSchema = shape({ id: answerFields.id, deleted: Joi.valid(true) }, "Deleted");

/** Schema of the answer to enabling or disabling a record. */
export const toggledData: ObjectSchema = shape({ id: answerFields.id, enabled: answerFields.flag }, "Toggled");

/** Schema of a localized error detail. */
export const failureDetailShape: ObjectSchema<NonNullable<LocalizedError["detail"]>> = shape<
  NonNullable<LocalizedError["detail"]>
>({
  key: text,
  field: text.optional(),
  params: answerFields.mapOf(answerFields.either(text, answerFields.number, answerFields.flag)).optional(),
  texts: answerFields.mapOf(answerFields.localized).optional(),
  chinese: text.optional(),
});

/** Schema fields of a `toItemFailure` result. */
export const itemFailureFields = { error: text, detail: failureDetailShape.optional() } as const;

/** Schema fields of a `formatWarnings` result. */
export const warningFields = {
  warnings: answerFields.texts,
  warning_details: answerFields.listOf(answerFields.orNull(failureDetailShape)).optional(),
} as const;

/** Schema of a batch answer: the count of each outcome, and the errors by index in the request. */
export function batchData(counts: readonly string[], more: Readonly<Record<string, Schema>> = {}): ObjectSchema {
  const counted = Object.fromEntries([...counts, "failed"].map((name) => [name, count] as const));
  const errors = Joi.array().items(shape({ index: count, ...itemFailureFields }, "BatchError"));
  return shape({ ...counted, errors, ...more });
}

/** Schema of a raw answer with arbitrary bytes. */
export const bytes: Schema = Joi.binary();

/** Schema of an envelope that a raw route streams itself because it is too long for memory. */
export function envelopeOf(data: Schema): ObjectSchema {
  return shape({ success: Joi.valid(true), data, message: answerFields.text });
}
