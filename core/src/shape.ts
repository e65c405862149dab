import Joi, { type CustomHelpers, type Schema } from "@hapi/joi";
import { AppError } from "./errors.ts";

/** What an extension point takes, as its check: gives the contribution as it is, or throws what is wrong with it. */
export function shaped<T>(schema: Schema<T>): (contribution: unknown) => T {
  const required = schema.required();
  return (contribution) => {
    const { error } = required.validate(contribution, { convert: false });
    if (error) throw new AppError("bad_request", error.message.replaceAll('"', "'"));
    return contribution as T;
  };
}

/** Why a value cannot serve as the joi schema of an object; undefined when it can. */
export function schemaProblem(value: unknown): string | undefined {
  const made = (value as { readonly [MADE_BY]?: { readonly version: string } } | null | undefined)?.[MADE_BY];
  if (!made) return "is no joi schema";
  if (made.version !== Joi.version) return `was made by joi ${made.version}, and this service has joi ${Joi.version}`;
  const { type } = value as Schema;
  return type === "object" ? undefined : `is a joi schema of type ${type}, not of an object`;
}

const MADE_BY = Symbol.for("@hapi/joi/schema");

/** A joi schema of an object. */
export const objectSchema: Schema = Joi.any().custom((value: unknown, { message }: CustomHelpers) => {
  const problem = schemaProblem(value);
  return problem ? message({ custom: `{{#label}} ${problem}` }) : value;
});

export const runs: Schema = Joi.function();
/** A name without blanks. */
export const word: Schema = Joi.string().pattern(/^\S+$/, "a name without blanks");
