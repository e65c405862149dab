/** Returns the text on one line. */
export function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
