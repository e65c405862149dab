import { automationFailure } from "./said-failures.ts";

/** What templates and conditions can name. */
export interface Variables {
  readonly values: ReadonlyMap<string, unknown>;
  /** Names that a step gives its output, whether or not it has run. */
  readonly declared: ReadonlySet<string>;
}

const NAME = String.raw`[A-Za-z_][\w-]{0,63}`;
const PATH = String.raw`${NAME}(?:\.${NAME}|\[\d{1,6}\])*`;
const PLACE = new RegExp(String.raw`\{\{\s*(${PATH})\s*\}\}`, "g");
const WHOLE = new RegExp(String.raw`^\{\{\s*(${PATH})\s*\}\}$`);
const FORMED = new RegExp(`^${PATH}$`);
const STEPS = new RegExp(String.raw`${NAME}|\[\d+\]`, "g");

export const VARIABLE_NAME = new RegExp(`^${NAME}$`);

/** Whether a text can name a variable: `weather.days[0]`. */
export function isPath(text: string): boolean {
  return FORMED.test(text);
}

/** What a path names; undefined where its step did not run, or has no such part. `bad_request` for a name that nothing gives. */
export function valueAt({ values, declared }: Variables, path: string): unknown {
  const [name = "", ...rest] = path.match(STEPS) ?? [];
  if (!values.has(name) && !declared.has(name)) {
    throw automationFailure("bad_request", "not_given", { path: `{{${path}}}`, name });
  }
  return rest.reduce<unknown>((value, step) => {
    const key = step.startsWith("[") ? step.slice(1, -1) : step;
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return isThere ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
  }, values.get(name));
}

/** A text with its `{{names}}` filled in, once: what is put in is not looked at again. JSON is written as JSON. */
export function filledText(variables: Variables, text: string): string {
  return text.replaceAll(PLACE, (_, path: string) => textOf(valueAt(variables, path)));
}

/** Any JSON with the texts in it filled in; a text that is one name alone becomes what the name stands for. */
export function filledValue(variables: Variables, value: unknown): unknown {
  if (typeof value === "string") {
    const [, path] = WHOLE.exec(value) ?? [];
    return path === undefined ? filledText(variables, value) : (valueAt(variables, path) ?? "");
  }
  if (Array.isArray(value)) return value.map((one) => filledValue(variables, one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledValue(variables, one)]));
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
