import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin personality, in each language. */
export const personalityTexts = defineTexts("personality", { en, zh });
