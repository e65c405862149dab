import { automationTexts } from "../texts.ts";

/** Variables that templates and conditions can name. */
export interface Variables {
  readonly values: ReadonlyMap<string, unknown>;
  /** Names of the outputs of all steps, including steps that have not run. */
  readonly declared: ReadonlySet<string>;
}

const NAME = String.raw`[A-Za-z_][\w-]{0,63}`;
const PATH = String.raw`${NAME}(?:\.${NAME}|\[\d{1,6}\])*`;
const PLACEHOLDER = new RegExp(String.raw`\{\{\s*(${PATH})\s*\}\}`, "g");
const WHOLE_PLACEHOLDER = new RegExp(String.raw`^\{\{\s*(${PATH})\s*\}\}$`);
const PATH_PATTERN = new RegExp(`^${PATH}$`);
const PATH_STEPS = new RegExp(String.raw`${NAME}|\[\d+\]`, "g");

export const VARIABLE_NAME = new RegExp(`^${NAME}$`);

/** True when a text is a path to a variable, such as `weather.days[0]`. */
export function isPath(text: string): boolean {
  return PATH_PATTERN.test(text);
}

/** Returns the value of a path; undefined if its step did not run. Throws `bad_request` for an undeclared name. */
export function findValue({ values, declared }: Variables, path: string): unknown {
  const [name = "", ...rest] = path.match(PATH_STEPS) ?? [];
  if (!values.has(name) && !declared.has(name)) {
    throw automationTexts.error("bad_request", "not_given", { path: `{{${path}}}`, name });
  }
  return rest.reduce<unknown>((value, step) => {
    const key = step.startsWith("[") ? step.slice(1, -1) : step;
    const hasKey = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return hasKey ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
  }, values.get(name));
}

/** Replaces each `{{name}}` of a text once; inserted text is not expanded. Objects are inserted as JSON. */
export function fillText(variables: Variables, text: string): string {
  return text.replaceAll(PLACEHOLDER, (_, path: string) => toText(findValue(variables, path)));
}

/** Fills the texts in any JSON value; a text that is only one name becomes the value itself. */
export function fillValue(variables: Variables, value: unknown): unknown {
  if (typeof value === "string") {
    const [, path] = WHOLE_PLACEHOLDER.exec(value) ?? [];
    return path === undefined ? fillText(variables, value) : (findValue(variables, path) ?? "");
  }
  if (Array.isArray(value)) return value.map((one) => fillValue(variables, one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillValue(variables, one)]));
}

export function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
