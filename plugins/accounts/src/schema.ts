import Joi from "@hapi/joi";
import { displayName, resource, SCOPES, type Scope, timestamp, withLabel } from "@parley/core";

export interface LoginBody {
  readonly username: string;
  readonly password: string;
}
export interface TokenDraft {
  readonly username?: string;
  readonly expires_days: number;
}
export interface KeyDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly enabled: boolean;
  readonly expires_at: string | null;
  readonly rate_limit_per_minute: number;
}

export const loginBody = Joi.object<LoginBody>({
  username: Joi.string().trim().min(1).max(64).required(),
  password: Joi.string().min(1).max(256).required(),
});

export interface Verification {
  readonly token?: string;
  readonly optional: boolean;
}
export const verifyBody = Joi.object<Verification>({
  token: Joi.string().max(256),
  optional: Joi.boolean()
    .default(false)
    .description("Without a sign-in, the response says so instead of being an error"),
});

export const tokenDraft = Joi.object<TokenDraft>({
  username: displayName(64).description("Label of the holder"),
  expires_days: Joi.number().integer().min(1).max(3650).default(30),
});

const toTitle = (en: string, zh: string) => ({ title: { en, zh } });
const scopeNames = Object.fromEntries(
  Object.entries({
    read: ["Read everything", "读取全部"],
    write: ["Change conversations", "修改会话"],
    chat: ["Chat", "聊天"],
    mcp: ["Use tools (MCP)", "使用工具（MCP）"],
    admin: ["Administer", "管理"],
  }).map(([scope, [en = "", zh = ""]]) => [scope, { en, zh }]),
);

/** API keys, the credentials of programs. */
export const apiKeys = resource<KeyDraft>({
  kind: "api_key",
  path: "/api/api-keys",
  param: "key_id",
  idPrefix: "key",
  title: { one: { en: "API key", zh: "API 密钥" }, many: { en: "API keys", zh: "API 密钥" } },
  about: {
    en: "Programs use an API key to call this service. Give each program its own key, with only the permissions it needs.",
    zh: "程序用 API 密钥调用本服务：给每个程序单独的密钥，并只给它需要的权限。",
  },
  fields: {
    name: withLabel(displayName(100).required(), {
      ...toTitle("Name", "名称"),
      help: { en: "The program it is for", zh: "给哪个程序使用" },
    }),
    scopes: withLabel(
      Joi.array()
        .items(Joi.string().valid(...SCOPES))
        .min(1)
        .unique()
        .required(),
      { ...toTitle("Permissions", "权限"), options: scopeNames },
    ),
    enabled: withLabel(Joi.boolean().default(true), toTitle("Enabled", "启用")),
    expires_at: withLabel(timestamp().allow(null).default(null), {
      ...toTitle("Expires", "到期"),
      help: { en: "Empty: never", zh: "留空：永不到期" },
    }),
    rate_limit_per_minute: withLabel(Joi.number().integer().min(0).max(6000).default(0), {
      ...toTitle("Requests per minute", "每分钟请求数"),
      help: { en: "0: no limit", zh: "0：不限制" },
    }),
  },
  derived: {
    key_prefix: withLabel(Joi.string().required(), toTitle("Prefix", "前缀")),
    created_by: withLabel(Joi.string().required(), toTitle("Created by", "创建者")),
    made_by: withLabel(Joi.string().allow(null).required(), toTitle("Made with API key", "由 API 密钥创建")),
    last_used_at: withLabel(timestamp().allow(null).required(), toTitle("Last used", "最近使用")),
    last_used_ip: withLabel(Joi.string().allow(null).required(), toTitle("Last used from", "最近来源")),
  },
  created: { secret: withLabel(Joi.string().required(), toTitle("Secret", "密钥")) },
  search: ["name"],
  filters: ["enabled"],
  sort: ["-created_at", "name"],
  scopes: { read: "admin", change: "admin" },
  columns: ["name", "key_prefix", "scopes", "enabled", "expires_at", "last_used_at"],
});
