import Joi, { type ObjectSchema, type StringSchema } from "@hapi/joi";
import type { Localized } from "../localized.ts";

/** Returns the schema of a text in English and Chinese, and in the languages that the operator added. */
export function toLocalizedSchema(form: StringSchema): ObjectSchema<Localized> {
  return Joi.object<Localized>({ en: form.required(), zh: form.required() }).pattern(/^[a-z]{2,3}$/, form);
}

/** Schema of a text that a plugin declares. */
export const localizedSchema = toLocalizedSchema(Joi.string());
