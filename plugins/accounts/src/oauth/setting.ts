import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const OAUTH_ENABLED = setting({
  key: "mcp.oauth_enabled",
  schema: Joi.boolean().strict().default(true),
  group: "connections",
  title: { en: "MCP clients may sign in (OAuth)", zh: "允许 MCP 客户端登录（OAuth）" },
  help: {
    en: "When MCP is served over HTTP, a client opens a page on which you give it access. When off, only API keys work, and clients with access are locked out.",
    zh: "通过 HTTP 提供 MCP 时，客户端会打开页面，由你允许其访问。关闭后只能使用 API 密钥，已授权的客户端也无法访问。",
  },
});
