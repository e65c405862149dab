import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

export const chatSdkTexts = defineTexts("chat-sdk", { en, zh, logs });
