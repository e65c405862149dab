import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin s3, in each language. */
export const s3Texts = defineTexts("s3", { en, zh, logs });
