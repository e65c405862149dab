import type { Localized } from "@parley/core";
import { useTexts } from "./i18n.ts";
import { localize } from "./localize.ts";

/** Returns a function that localizes texts of the service and its plugins. */
export function useLocalized(): (text: Localized) => string {
  const { language } = useTexts();
  return (text) => localize(text, language);
}
