import Joi, { type CustomHelpers, type Schema, type StringSchema } from "@hapi/joi";
import { AppError } from "../errors.ts";

const MESSAGES = { "string.pattern.name": "{{#label}} with value {:[.]} must be {{#name}}" };

/** Creates the check of an extension point: returns the contribution unchanged, or throws `bad_request` when the schema rejects it. */
export function validateWith<T>(schema: Schema<T>): (contribution: unknown) => T {
  const required = schema.required().prefs({ convert: false, messages: MESSAGES });
  return (contribution) => {
    if (contribution === undefined) throw new AppError("bad_request", "it is undefined");
    const { error } = required.validate(contribution);
    if (!error) return contribution as T;
    const text = error.message.replaceAll('"', "'");
    const isWhole = error.details[0]?.path.length === 0;
    throw new AppError("bad_request", isWhole ? text.replace(/^'value' /, "it ") : text);
  };
}

/** Returns the reason a value is not a joi object schema; undefined when it is. */
export function schemaProblem(value: unknown): string | undefined {
  const problem = anySchemaProblem(value);
  if (problem) return problem;
  const { type } = value as Schema;
  return type === "object" ? undefined : `is a joi schema of type ${type}, not of an object`;
}

// Schemas of two versions of joi cannot be combined, and only the version that made a schema can describe it.
/** Returns the reason a value is not a usable joi schema; undefined when it is. */
export function anySchemaProblem(value: unknown): string | undefined {
  const made = (value as { readonly [JOI_SCHEMA]?: { readonly version: string } } | null | undefined)?.[JOI_SCHEMA];
  if (!made) return "is no joi schema";
  if (made.version === Joi.version) return undefined;
  return `was made by joi ${made.version}, and this service has joi ${Joi.version}`;
}

const JOI_SCHEMA = Symbol.for("@hapi/joi/schema");

const createSchemaSchema = (findProblem: (value: unknown) => string | undefined): Schema =>
  Joi.any().custom((value: unknown, { message }: CustomHelpers) => {
    const problem = findProblem(value);
    return problem ? message({ custom: `{{#label}} ${problem}` }) : value;
  });

/** A joi schema. */
export const anySchema: Schema = createSchemaSchema(anySchemaProblem);
/** A joi schema of an object. */
export const objectSchema: Schema = createSchemaSchema(schemaProblem);

export const functionSchema: Schema = Joi.function();
/** A name without blanks. */
export const wordSchema: StringSchema = Joi.string().pattern(/^\S+$/, "a name without blanks");
