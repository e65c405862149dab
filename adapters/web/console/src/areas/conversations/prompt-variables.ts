/** What a saved prompt leaves open: `{{topic}}`, `{{tone: formal | casual}}`, and what is filled in by itself. */
export interface PromptVariable {
  /** In small letters: one name is asked for once, however it is written. */
  readonly key: string;
  readonly name: string;
  /** What there is to choose from; one: what stands in the field at first. */
  readonly options: readonly string[];
}

const PLACE = /\{\{\s*([^{}:]+?)\s*(?::([^{}]*))?\}\}/gu;

export function variablesOf(content: string): readonly PromptVariable[] {
  const found = new Map<string, PromptVariable>();
  for (const [, name = "", options = ""] of content.matchAll(PLACE)) {
    const key = name.toLowerCase();
    const named = options.split("|").map((one) => one.trim());
    const before = found.get(key);
    if (!before || before.options.length === 0) {
      found.set(key, { key, name: before?.name ?? name, options: named.filter((one) => one !== "") });
    }
  }
  return [...found.values()];
}

/** Puts a value in every place; what has none stays as it is written. */
export function filledIn(content: string, values: Readonly<Record<string, string>>): string {
  return content.replaceAll(PLACE, (place, name: string) => {
    const key = name.toLowerCase();
    return Object.hasOwn(values, key) ? (values[key] ?? place) : place;
  });
}

/** What needs nobody to say it, in the words of the reader's language. */
export function knownValues(now: Date, language: string): Readonly<Record<string, string>> {
  const date = now.toLocaleDateString(language, { dateStyle: "long" });
  const time = now.toLocaleTimeString(language, { timeStyle: "short" });
  return { date, time, current_date: date, current_time: time };
}
