import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin skills, in each language. */
export const skillsTexts = defineTexts("skills", { en, zh });
