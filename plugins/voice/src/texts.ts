import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin voice, in each language. */
export const voiceTexts = defineTexts("voice", { en, zh, logs });
