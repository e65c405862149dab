import Joi, { type CustomHelpers, type Schema } from "@hapi/joi";

/** Splits a comma-separated text into trimmed parts without empty ones. */
export function splitCommaList(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/**
 * Schema of a list of `least` to `most` items, or the same as comma-separated text, as list fields of tools accept it.
 * Both forms are validated alike and give an array.
 */
export function commaList(item: Schema, most: number, least = 0): Schema {
  const list = Joi.array().items(item).min(least).max(most);
  const text = Joi.string()
    .allow("")
    .custom((given: string, helpers: CustomHelpers) => {
      const { value, error } = list.validate(splitCommaList(given), { errors: { label: false } });
      return error ? helpers.message({ custom: `{{#label}}: ${error.message}` }) : value;
    });
  return Joi.alternatives(list, text);
}
