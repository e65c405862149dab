import { defineTexts } from "./define-texts.ts";
import { en } from "./locales/en.ts";
import { zh } from "./locales/zh.ts";

/** Texts of core, in each language. */
export const coreTexts = defineTexts("core", { en, zh });
