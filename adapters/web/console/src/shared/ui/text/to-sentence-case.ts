const BEGINS_WITH_A_WORD = /^\p{Ll}(?=[\p{L}-]*(?:[\s,]|$))/u;

/** Capitalizes a message that is shown by itself. One that begins with a field name or a quote stays unchanged. */
export function toSentenceCase(text: string): string {
  return text.replace(BEGINS_WITH_A_WORD, (letter) => letter.toUpperCase());
}
