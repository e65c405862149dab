/** Returns the text on one line. */
export function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Shortens a text to at most `most` characters without splitting a grapheme. */
export function truncate(text: string, most: number): string {
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  let short = text;
  for (let left = Math.min(characters.length, most); short.length > most; left -= 1) {
    short = `${characters
      .slice(0, left - 1)
      .join("")
      .trimEnd()}…`;
  }
  return short;
}

/** Parses a JSON object; undefined for other text. */
export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
