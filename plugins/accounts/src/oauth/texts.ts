import { acceptedLanguage, defineTexts } from "@parley/core";
import { pageTexts as en } from "../locales/en.ts";
import { pageTexts as zh } from "../locales/zh.ts";

const texts = defineTexts("accounts.page", { en, zh });

/** Texts of the pages, and their language. */
export type PageTexts = Readonly<Record<keyof typeof en | "lang", string>>;

/** Returns the texts in the language that the header `Accept-Language` prefers. */
export function getPageTexts(acceptLanguage: string | undefined): PageTexts {
  const lang = acceptedLanguage(acceptLanguage);
  return { lang, ...texts.all(lang) };
}
