import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of the website channel, in each language. */
export const widgetTexts = defineTexts("widget", { en, zh, logs });
