import Joi, { type StringSchema } from "@hapi/joi";

/** Control characters, line separators, bidirectional controls, halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u;

/** Schema of a display name of 1 to `most` characters, trimmed and NFC-normalized. */
export function displayName(most: number): StringSchema {
  return Joi.string()
    .trim()
    .normalize("NFC")
    .min(1)
    .custom((name: string, { error }) => {
      if (UNPRINTABLE.test(name)) return error("string.unshowable");
      // Counts characters, because `max` would count UTF-16 units.
      return [...name].length > most ? error("string.max", { limit: most }) : name;
    })
    .messages({ "string.unshowable": "must have no control characters and no marks of direction" });
}
