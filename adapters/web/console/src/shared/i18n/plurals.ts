import { markEdges } from "./cjk-spacing.ts";

/** Texts for one and for any other number. */
export interface PluralForms {
  readonly one: string;
  readonly other: string;
}

export type Values = Readonly<Record<string, string | number>>;

/** Returns the translation entries of a text; the singular is stored under `<key>_one`. */
export function toPluralEntries(key: string, text: string | PluralForms): readonly (readonly [string, string])[] {
  if (typeof text === "string") return [[key, text]];
  return [
    [key, text.other],
    [`${key}_one`, text.one],
  ];
}

/** Formats values for the language and adds the plural form of `count`; Chinese ones are marked for `applySpacing`. */
export function formatValues(values: Values, language: string): Readonly<Record<string, string>> {
  const formatText = language.startsWith("zh") ? markEdges : String;
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    formatText(typeof value === "number" ? value.toLocaleString(language) : value),
  ]);
  const { count } = values;
  const form = typeof count === "number" ? new Intl.PluralRules(language).select(count) : "other";
  return { ...Object.fromEntries(texts), ...(form !== "other" && { context: form }) };
}
