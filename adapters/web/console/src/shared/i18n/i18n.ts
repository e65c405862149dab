import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { tryStore } from "../account-storage.ts";
import { parley } from "../api/client.ts";
import { applySpacing } from "./cjk-spacing.ts";
import { addedLanguages } from "./localize.ts";
import { formatValues, type PluralForms, toPluralEntries, type Values } from "./plurals.ts";
import { SHARED_TEXTS } from "./texts.ts";

const LANGUAGE_KEY = "parley.language";
const BUILT_IN: Readonly<Record<string, string>> = { en: "English", "zh-CN": "中文" };

/** Texts in English and Chinese; Chinese has no plural forms. */
type Catalog = Readonly<Record<string, readonly [english: string | PluralForms, chinese: string]>>;
export type SharedKey = keyof typeof SHARED_TEXTS;

const SHARED_NAMESPACE = "shared";
const preferred = localStorage.getItem(LANGUAGE_KEY) ?? (navigator.language.startsWith("zh") ? "zh-CN" : "en");
void i18next.use(initReactI18next).init({
  resources: {},
  lng: preferred in BUILT_IN ? preferred : "en",
  fallbackLng: "en",
  defaultNS: SHARED_NAMESPACE,
  fallbackNS: SHARED_NAMESPACE,
  interpolation: { escapeValue: false },
});
document.documentElement.lang = i18next.language;

/** Switches the language; loads it first if the operator has added it. */
export async function setLanguage(language: string): Promise<void> {
  if (!(language in BUILT_IN) && !(await loadAddedLanguage(language))) return;
  document.documentElement.lang = language;
  void i18next.changeLanguage(language);
  // If the browser's storage is full, the choice lasts until the page is closed.
  tryStore(LANGUAGE_KEY, language);
}

/** Calls the listener whenever the language changes. */
export function onLanguageChange(listener: () => void): void {
  i18next.on("languageChanged", listener);
}

export function getLanguage(): string {
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

/** The registered texts by area, needed when a language is loaded later. */
const catalogs = new Map<string, Catalog>();

/** Loads a language that the operator has added; false where the service does not have it. */
async function loadAddedLanguage(code: string): Promise<boolean> {
  if (addedLanguages.has(code)) return true;
  const { items } = await parley.get("/api/languages");
  if (!items.some((language) => language.code === code)) return false;
  const { texts } = await parley.get("/api/languages/{code}", { path: { code } });
  addedLanguages.set(code, new Map(Object.entries(texts)));
  for (const [area, catalog] of catalogs) addBundle(area, catalog, code);
  return true;
}

function addBundle(area: string, texts: Catalog, language: string): void {
  const translations = addedLanguages.get(language);
  const translate = (english: string) => translations?.get(english) ?? english;
  const entries = Object.entries(texts).flatMap(([key, [english, chinese]]) =>
    toPluralEntries(key, language === "zh-CN" ? chinese : mapForms(english, translate)),
  );
  i18next.addResourceBundle(language, area, Object.fromEntries(entries));
}

function mapForms(text: string | PluralForms, map: (form: string) => string): string | PluralForms {
  return typeof text === "string" ? map(text) : { one: map(text.one), other: map(text.other) };
}

/** Registers the texts of an area and returns its hook; lazily loaded modules register their own. */
export function createTexts<const Texts extends Catalog>(
  area: string,
  texts: Texts,
): UseTexts<OwnKeys<Texts> | SharedKey> {
  catalogs.set(area, texts);
  for (const language of ["en", "zh-CN", ...addedLanguages.keys()]) addBundle(area, texts, language);
  return () => {
    const { t, i18n } = useTranslation(area);
    const { language } = i18n;
    return { t: (key: string, values = {}) => applySpacing(t(key, formatValues(values, language))), language };
  };
}

type OwnKeys<Texts> = keyof Texts & string;

export const useTexts = createTexts(SHARED_NAMESPACE, SHARED_TEXTS);

// A language of the operator is shown in English until it is loaded, or if it no longer exists.
if (!(preferred in BUILT_IN)) void setLanguage(preferred);
