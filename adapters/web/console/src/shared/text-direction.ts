const LOOKED_AT = 1_000;
const FROM_THE_RIGHT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Where a text begins, by its first letter. For fields: `dir="auto"` has a browser look through all of it at every key, which
 * takes seconds for a megabyte.
 */
export function directionOf(text: string): "ltr" | "rtl" {
  const letter = /\p{L}/u.exec(text.slice(0, LOOKED_AT))?.[0] ?? "";
  return FROM_THE_RIGHT.test(letter) ? "rtl" : "ltr";
}
