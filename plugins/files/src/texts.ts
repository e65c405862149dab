import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin files, in each language. */
export const filesTexts = defineTexts("files", { en, zh, logs });
