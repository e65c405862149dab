import { acceptedLanguage, defineTexts } from "@parley/core";
import { pageTexts as en } from "./locales/en.ts";
import { pageTexts as zh } from "./locales/zh.ts";

const texts = defineTexts("sharing.page", { en, zh });

/** Texts of a page around a conversation, and their language. */
export type PageTexts = Readonly<Record<keyof typeof en | "lang", string>>;

/** Returns the texts in the language that the header `Accept-Language` prefers. */
export function getPageTexts(acceptLanguage: string | undefined): PageTexts {
  const lang = acceptedLanguage(acceptLanguage);
  return { lang, ...texts.all(lang) };
}
