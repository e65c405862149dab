/** How much of what a step gave is kept, and given to later steps; in characters of JSON. */
export const MAX_OUTPUT_CHARS = 50_000;

/** JSON of a value, of at most `most` characters: what is longer becomes a text that says so. */
export function toTruncatedJson(value: unknown, maxChars: number): string {
  const text = JSON.stringify(value ?? null) ?? "null";
  if (text.length <= maxChars) return text;
  const whole = typeof value === "string" ? value : text;
  // Escapes make a text longer: it is cut until its JSON fits.
  for (let length = maxChars; ; length = Math.floor(length * 0.8)) {
    const cut = JSON.stringify(`${truncateText(whole, length)}… [cut: ${whole.length} characters]`);
    if (cut.length <= maxChars + 40) return cut;
  }
}

/** The beginning of a text, no character split. */
export function truncateText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxChars - 1 : maxChars);
}
