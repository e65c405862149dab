import { edged } from "./spacing.ts";

/** What is said of one, and of another number. */
export interface Counted {
  readonly one: string;
  readonly other: string;
}

export type Values = Readonly<Record<string, string | number>>;

/** The form for one is kept beside the other. */
export function formsOf(key: string, said: string | Counted): readonly (readonly [string, string])[] {
  if (typeof said === "string") return [[key, said]];
  return [
    [key, said.other],
    [`${key}_one`, said.one],
  ];
}

/** As the language writes them, with the form that the number `count` asks for; Chinese is `spaced` once they are filled in. */
export function written(values: Values, language: string): Readonly<Record<string, string>> {
  const inPlace = language.startsWith("zh") ? edged : String;
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    inPlace(typeof value === "number" ? value.toLocaleString(language) : value),
  ]);
  const { count } = values;
  const form = typeof count === "number" ? new Intl.PluralRules(language).select(count) : "other";
  return { ...Object.fromEntries(texts), ...(form !== "other" && { context: form }) };
}
