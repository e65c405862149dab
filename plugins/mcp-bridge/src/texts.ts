import { defineTexts } from "@parley/core";
import { en } from "./locales/en.ts";
import { logs } from "./locales/logs.ts";
import { zh } from "./locales/zh.ts";

/** Texts of plugin mcp-bridge, in each language. */
export const mcpBridgeTexts = defineTexts("mcp", { en, zh, logs });
