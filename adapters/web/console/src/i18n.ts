import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { TEXTS, type TextKey } from "./texts.ts";

const STORED = "parley.language";
export const LANGUAGES = { en: "English", "zh-CN": "中文" } as const;
export type Language = keyof typeof LANGUAGES;

const resources = Object.fromEntries(
  (["en", "zh-CN"] as const).map((language, index) => [
    language,
    { translation: Object.fromEntries(Object.entries(TEXTS).map(([key, texts]) => [key, texts[index] ?? key])) },
  ]),
);

void i18next.use(initReactI18next).init({
  resources,
  lng: localStorage.getItem(STORED) ?? (navigator.language.startsWith("zh") ? "zh-CN" : "en"),
  fallbackLng: "en",
  interpolation: { escapeValue: false },
});
document.documentElement.lang = i18next.language;

export function setLanguage(language: Language): void {
  localStorage.setItem(STORED, language);
  document.documentElement.lang = language;
  void i18next.changeLanguage(language);
}

/** `values` stand where a text has their names in double braces. */
type Texts = (key: TextKey, values?: Readonly<Record<string, string>>) => string;

export function useTexts(): { readonly t: Texts; readonly language: string } {
  const { t, i18n } = useTranslation();
  return { t: (key, values = {}) => t(key, values), language: i18n.language };
}
