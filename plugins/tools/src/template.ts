/** A place in a text for an argument: `{{city}}`, `{{place.name}}`, `{{days[0]}}`. */
const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+|\[\d{1,4}\])*)\s*\}\}/g;
const ALONE = /^\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+|\[\d{1,4}\])*)\s*\}\}$/;

export type Arguments = Readonly<Record<string, unknown>>;
/** How the text of an argument is written in its place. */
export type Encode = (text: string) => string;

/** The arguments that a template names. */
export function placeholdersIn(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, path = ""]) => path.split(/[.[]/, 1)[0] ?? "");
}

/** The text with its arguments; one that was not given is empty. */
export function filled(template: string, args: Arguments, encode: Encode = (text) => text): string {
  return template.replaceAll(PLACEHOLDER, (_, path: string) => encode(textOf(valueAt(args, path))));
}

/** The path of a text that is nothing but one placeholder. */
export function aloneIn(template: string): string | undefined {
  return ALONE.exec(template)?.[1];
}

/** A value by its path, `a.b[0].c`; undefined where there is none. What an object inherits is not in it. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const [, name, index] of path.matchAll(/([\w-]+)|\[(\d+)\]/g)) {
    const key = name ?? index ?? "";
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Arguments)[key];
  }
  return found;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
