import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

export const encoderTexts = defineTexts("sentence_encoder", { en, zh, logs });
