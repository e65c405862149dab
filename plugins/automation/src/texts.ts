import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin automation, in each language. */
export const automationTexts = defineTexts("automation", { en, zh, logs });
