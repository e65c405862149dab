import type { Localized } from "@parley/core";

/** Translations of languages that the operator has added, by code and English text; filled when a language is loaded. */
export const addedLanguages = new Map<string, ReadonlyMap<string, string>>();

/** Returns a text of the service or of a plugin in the reader's language: English where it has none. */
export function localize(text: Localized, language: string): string {
  if (language.startsWith("zh")) return text.zh;
  const forms = new Map(Object.entries(text));
  return forms.get(language) ?? addedLanguages.get(language)?.get(text.en) ?? text.en;
}
