import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin gateway, in each language. */
export const gatewayTexts = defineTexts("gateway", { en, zh, logs });
