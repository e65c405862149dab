import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin models, in each language. */
export const modelsTexts = defineTexts("models", { en, zh, logs });
