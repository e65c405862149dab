import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of adapter web, in each language. */
export const webTexts = defineTexts("web", { en, zh, logs });
