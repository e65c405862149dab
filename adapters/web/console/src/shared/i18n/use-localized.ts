import type { Localized } from "@parley/core";
import { useTexts } from "./i18n.ts";

/** Says what a plugin wrote in both languages. */
export function useLocalized(): (text: Localized) => string {
  const { language } = useTexts();
  return (text) => (language.startsWith("zh") ? text.zh : text.en);
}
