import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin push, in each language. */
export const pushTexts = defineTexts("push", { en, zh, logs });
