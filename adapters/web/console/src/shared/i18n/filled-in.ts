const EDGE = "\u0001";
const BEFORE = new RegExp(String.raw`(?<=\p{Script=Han})${EDGE}(?=[A-Za-z0-9])`, "gu");
const AFTER = new RegExp(String.raw`(?<=[A-Za-z0-9])${EDGE}(?=\p{Script=Han})`, "gu");

/** Values of which `spaced` knows where they begin and end. */
export function edged(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  // The context chooses the text and stands in none.
  const texts = Object.entries(values).map(([name, value]) => [name, name === "context" ? value : EDGE + value + EDGE]);
  return Object.fromEntries(texts);
}

/** A space between Chinese and Latin letters or digits where a value was filled in; nothing else is changed. */
export function spaced(text: string): string {
  return text.replace(BEFORE, " ").replace(AFTER, " ").replaceAll(EDGE, "");
}
