import type { Localized } from "@parley/core";
import { localize, useTexts } from "./i18n.ts";

/** Returns a function that picks the reader's language of a plugin's text. */
export function useLocalized(): (text: Localized) => string {
  const { language } = useTexts();
  return (text) => localize(text, language);
}
