import { defineTexts } from "./define-texts.ts";
import * as english from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import * as chinese from "./locales/zh.ts";

/** Texts of core, in each language. */
export const coreTexts = defineTexts("core", {
  en: { ...english.ERROR_TEXTS, ...english.fieldTexts, ...english.codeTexts, ...english.en },
  zh: { ...chinese.errorTexts, ...chinese.fieldTexts, ...chinese.codeTexts, ...chinese.zh },
  logs,
});
