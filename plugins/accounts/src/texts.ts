import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin accounts, in each language. */
export const accountsTexts = defineTexts("accounts", { en, zh, logs });
