const SCAN_LENGTH = 1_000;
const RTL_LETTER =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Returns the direction of a text by its first letter. Fields use it because `dir="auto"` makes the browser scan the
 * whole text at every key, which takes seconds for a megabyte.
 */
export function detectDirection(text: string): "ltr" | "rtl" {
  const letter = /\p{L}/u.exec(text.slice(0, SCAN_LENGTH))?.[0] ?? "";
  return RTL_LETTER.test(letter) ? "rtl" : "ltr";
}
