import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin characters, in each language. */
export const charactersTexts = defineTexts("characters", { en, zh });
