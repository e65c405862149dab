import type { Localized } from "@parley/core";
import { localize, useTexts } from "./i18n.ts";

/** Returns a function that localizes texts of the service and its plugins. */
export function useLocalized(): (text: Localized) => string {
  const { language } = useTexts();
  return (text) => localize(text, language);
}
