/** A variable of a saved prompt: `{{topic}}`, `{{tone: formal | casual}}`, or a built-in one. */
export interface PromptVariable {
  /** Lower-case name: spellings that differ only in case are one variable. */
  readonly key: string;
  readonly name: string;
  /** The choices; a single one is the default value of the field. */
  readonly options: readonly string[];
}

const PLACEHOLDER = /\{\{\s*([^{}:]+?)\s*(?::([^{}]*))?\}\}/gu;

export function parseVariables(content: string): readonly PromptVariable[] {
  const variables = new Map<string, PromptVariable>();
  for (const [, name = "", options = ""] of content.matchAll(PLACEHOLDER)) {
    const key = name.toLowerCase();
    const choices = options.split("|").map((one) => one.trim());
    const known = variables.get(key);
    if (!known || known.options.length === 0) {
      variables.set(key, { key, name: known?.name ?? name, options: choices.filter((one) => one !== "") });
    }
  }
  return [...variables.values()];
}

/** Fills the variables of a prompt; those without a value stay unchanged. */
export function fillVariables(content: string, values: Readonly<Record<string, string>>): string {
  return content.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
    const key = name.toLowerCase();
    return Object.hasOwn(values, key) ? (values[key] ?? placeholder) : placeholder;
  });
}

/** Values of the built-in variables (date and time), formatted for the language. */
export function getBuiltInValues(now: Date, language: string): Readonly<Record<string, string>> {
  const date = now.toLocaleDateString(language, { dateStyle: "long" });
  const time = now.toLocaleTimeString(language, { timeStyle: "short" });
  return { date, time, current_date: date, current_time: time };
}
