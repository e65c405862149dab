/** What a saved prompt leaves open: `{{topic}}`, `{{tone: formal | casual}}`, and what is filled in by itself. */
export interface PromptVariable {
  /** In small letters: one name is asked for once, however it is written. */
  readonly key: string;
  readonly name: string;
  /** What there is to choose from; one: what stands in the field at first. */
  readonly options: readonly string[];
}

const PLACEHOLDER = /\{\{\s*([^{}:]+?)\s*(?::([^{}]*))?\}\}/gu;

export function parseVariables(content: string): readonly PromptVariable[] {
  const variables = new Map<string, PromptVariable>();
  for (const [, name = "", options = ""] of content.matchAll(PLACEHOLDER)) {
    const key = name.toLowerCase();
    const named = options.split("|").map((one) => one.trim());
    const before = variables.get(key);
    if (!before || before.options.length === 0) {
      variables.set(key, { key, name: before?.name ?? name, options: named.filter((one) => one !== "") });
    }
  }
  return [...variables.values()];
}

/** Puts a value in every place; what has none stays as it is written. */
export function fillVariables(content: string, values: Readonly<Record<string, string>>): string {
  return content.replaceAll(PLACEHOLDER, (place, name: string) => {
    const key = name.toLowerCase();
    return Object.hasOwn(values, key) ? (values[key] ?? place) : place;
  });
}

/** What needs nobody to say it, in the words of the reader's language. */
export function builtInValues(now: Date, language: string): Readonly<Record<string, string>> {
  const date = now.toLocaleDateString(language, { dateStyle: "long" });
  const time = now.toLocaleTimeString(language, { timeStyle: "short" });
  return { date, time, current_date: date, current_time: time };
}
