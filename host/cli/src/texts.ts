import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of the commands. */
export const cliTexts = defineTexts("cli", { en, zh, logs });
