import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const STDIO_ENABLED = setting({
  key: "mcp.stdio_enabled",
  schema: Joi.boolean().strict().default(true),
  group: "connections",
  title: { en: "Allow MCP servers that are programs on this machine", zh: "允许以本机程序运行 MCP 服务器" },
  help: {
    en: "When off, none are started, and running ones are stopped.",
    zh: "关闭后不再启动，正在运行的也会停止。",
  },
});
