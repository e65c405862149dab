import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

export const openaiTexts = defineTexts("openai_api", { en, zh, logs });
