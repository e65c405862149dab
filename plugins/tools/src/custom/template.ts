/** A place in a text for an argument: `{{city}}`, `{{place.name}}`, `{{days[0]}}`. */
const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+|\[\d{1,4}\])*)\s*\}\}/g;
const SINGLE_PLACEHOLDER = /^\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+|\[\d{1,4}\])*)\s*\}\}$/;

export type Arguments = Readonly<Record<string, unknown>>;
/** Encodes an argument for its place in a template. */
export type EncodeText = (text: string) => string;

/** Returns the arguments that a template names. */
export function listPlaceholders(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, path = ""]) => path.split(/[.[]/, 1)[0] ?? "");
}

/** Fills in the arguments; absent ones are empty. */
export function fillTemplate(template: string, args: Arguments, encode: EncodeText = (text) => text): string {
  return template.replaceAll(PLACEHOLDER, (_, path: string) => encode(toText(getValue(args, path))));
}

/** Returns the path of a text that is only a placeholder. */
export function getSinglePlaceholder(template: string): string | undefined {
  return SINGLE_PLACEHOLDER.exec(template)?.[1];
}

/** Returns the value at a path such as `a.b[0].c`; undefined where there is none. Inherited properties are ignored. */
export function getValue(value: unknown, path: string): unknown {
  let found = value;
  for (const [, name, index] of path.matchAll(/([\w-]+)|\[(\d+)\]/g)) {
    const key = name ?? index ?? "";
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Arguments)[key];
  }
  return found;
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
