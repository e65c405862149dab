import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { tryStore } from "../account-storage.ts";
import { applySpacing } from "./cjk-spacing.ts";
import { loadChinese } from "./failures.ts";
import { formatValues, type PluralForms, toPluralEntries, type Values } from "./plurals.ts";
import { SHARED_TEXTS } from "./texts.ts";

const LANGUAGE_KEY = "parley.language";
export const LANGUAGES = { en: "English", "zh-CN": "中文" } as const;
export type Language = keyof typeof LANGUAGES;

/** Every text in English and Chinese, which has no plurals. */
type Catalog = Readonly<Record<string, readonly [english: string | PluralForms, chinese: string]>>;
export type SharedKey = keyof typeof SHARED_TEXTS;

const SHARED_NAMESPACE = "shared";
void i18next.use(initReactI18next).init({
  resources: {},
  lng: localStorage.getItem(LANGUAGE_KEY) ?? (navigator.language.startsWith("zh") ? "zh-CN" : "en"),
  fallbackLng: "en",
  defaultNS: SHARED_NAMESPACE,
  fallbackNS: SHARED_NAMESPACE,
  interpolation: { escapeValue: false },
});
document.documentElement.lang = i18next.language;
const loadErrorTexts = () => void (isChinese() && loadChinese());
i18next.on("languageChanged", loadErrorTexts);
loadErrorTexts();

export function setLanguage(language: Language): void {
  document.documentElement.lang = language;
  void i18next.changeLanguage(language);
  // Where a browser keeps no more, the choice holds until the page is closed.
  tryStore(LANGUAGE_KEY, language);
}

export function currentLanguage(): string {
  return i18next.language;
}

export function isChinese(): boolean {
  return i18next.language.startsWith("zh");
}

/** Translates a text; `values` replace names in double braces, with numbers formatted for the language. `count` selects the plural form. */
export type Translate<Key extends string> = (key: Key, values?: Values) => string;

type UseTexts<Key extends string> = () => { readonly t: Translate<Key>; readonly language: string };

/** Text keys of an area: its own and the shared ones. */
export type KeyOf<Use> = Use extends UseTexts<infer Key> ? Key : never;

/** Registers the texts of an area and returns its hook; lazily loaded modules register their own. */
export function createTexts<const Texts extends Catalog>(
  area: string,
  texts: Texts,
): UseTexts<OwnKeys<Texts> | SharedKey> {
  for (const [index, language] of (["en", "zh-CN"] as const).entries()) {
    const entries = Object.entries(texts).flatMap(([key, both]) => toPluralEntries(key, both[index] ?? key));
    i18next.addResourceBundle(language, area, Object.fromEntries(entries));
  }
  return () => {
    const { t, i18n } = useTranslation(area);
    const { language } = i18n;
    return { t: (key: string, values = {}) => applySpacing(t(key, formatValues(values, language))), language };
  };
}

type OwnKeys<Texts> = keyof Texts & string;

/** The hook for shared texts. */
export const useTexts = createTexts(SHARED_NAMESPACE, SHARED_TEXTS);
