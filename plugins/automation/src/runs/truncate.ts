/** Maximum stored length of a step's output as JSON; later steps get the truncated output too. */
export const MAX_OUTPUT_CHARS = 50_000;

/** Returns the JSON of a value in about `maxChars` characters. A longer value becomes a text that ends with a note. */
export function toTruncatedJson(value: unknown, maxChars: number): string {
  const text = JSON.stringify(value ?? null) ?? "null";
  if (text.length <= maxChars) return text;
  const whole = typeof value === "string" ? value : text;
  // Escapes make the text longer, so it is cut until its JSON fits.
  for (let length = maxChars; ; length = Math.floor(length * 0.8)) {
    const cut = JSON.stringify(`${truncate(whole, length)}… [cut: ${whole.length} characters]`);
    if (cut.length <= maxChars + 40) return cut;
  }
}

/** Returns the beginning of a text without splitting a character. */
export function truncate(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxChars - 1 : maxChars);
}
