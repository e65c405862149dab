import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin operations, in each language. */
export const operationsTexts = defineTexts("operations", { en, zh, logs });
