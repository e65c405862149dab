const SCAN_LENGTH = 1_000;
const RTL_LETTER =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Where a text begins, by its first letter. For fields: `dir="auto"` has a browser look through all of it at every key, which
 * takes seconds for a megabyte.
 */
export function detectDirection(text: string): "ltr" | "rtl" {
  const letter = /\p{L}/u.exec(text.slice(0, SCAN_LENGTH))?.[0] ?? "";
  return RTL_LETTER.test(letter) ? "rtl" : "ltr";
}
