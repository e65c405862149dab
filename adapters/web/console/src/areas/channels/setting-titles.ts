import type { FieldSchema } from "../../shared/forms/schema-field.tsx";
import type { FormSchema } from "../../shared/forms/schema-form.tsx";

/** Titles of channel settings, [English, 中文]; nested by their path, so that a name within a group can have its own. */
const TITLES: Readonly<Record<string, readonly [string, string]>> = {
  bot_token_env: ["Bot token", "机器人令牌"],
  secret_token_env: ["Webhook secret", "Webhook 密钥"],
  webhook_url: ["Webhook address", "Webhook 地址"],
  api_base: ["API server", "API 服务器"],
  secret_header: ["Secret header", "密钥请求头"],
  paced: ["Respect the platform's rate limits", "遵守平台限速"],
  app_id: ["App ID", "应用 ID"],
  app_secret_env: ["App secret", "应用密钥"],
  encrypt_key_env: ["Encrypt key", "加密密钥"],
  verification_token_env: ["Verification token", "校验令牌"],
  sandbox: ["Sandbox", "沙箱环境"],
  ws_uri: ["Bridge address", "网桥地址"],
  access_token_env: ["Access token", "访问令牌"],
  http_secret_env: ["Event secret", "事件上报密钥"],
  self_id: ["Account", "机器人账号"],
  auth: ["Sender verification", "发送方验证"],
  "auth.secret_env": ["Token or key", "令牌或密钥"],
  allowed_ips: ["Allowed addresses", "允许的地址"],
  mapping: ["Field paths in the body", "消息体字段路径"],
  "mapping.content": ["Text", "正文"],
  "mapping.conversation_id": ["Conversation", "会话"],
  "mapping.user_id": ["User", "用户"],
  "mapping.message_id": ["Message ID", "消息 ID"],
  "mapping.sender": ["Sender's name", "发送者名称"],
  "mapping.reply_to": ["Replied-to message", "被回复的消息"],
  "mapping.timestamp": ["Time", "时间"],
  "mapping.attachments": ["Attachments", "附件"],
  "mapping.is_group": ["Group", "是否群聊"],
  "mapping.mentioned": ["Mentioned", "是否提及"],
  outbound_url: ["Reply address", "回复地址"],
  outbound_token_env: ["Reply bearer token", "回复的访问令牌"],
  outbound_secret_env: ["Reply signing key", "回复的签名密钥"],
  timeout_s: ["Timeout (seconds)", "超时（秒）"],
  rate_limits: ["Messages per minute", "每分钟消息数"],
  "rate_limits.user": ["Per user", "每个用户"],
  "rate_limits.conversation": ["Per conversation", "每个会话"],
  "rate_limits.ip": ["Per address", "每个地址"],
  "rate_limits.channel": ["Whole channel", "整个渠道"],
  dedupe_ttl_s: ["Recognise duplicates for (seconds)", "重复消息识别时长（秒）"],
  allow: ["Answer only", "仅回答"],
  deny: ["Never answer", "从不回答"],
};

/** Returns the localized title of a setting; the key for third-party settings without a title. */
export function settingTitle(path: string, language: string): string {
  const [english, chinese] = TITLES[path] ?? [];
  return (language === "zh-CN" ? chinese : english) ?? path;
}

/** True when a setting is the name of a stored secret or of an environment variable. */
const namesSecret = (key: string) => key.endsWith("_env");

/** Returns either the settings that name secrets or the others; a group is in both results where it has both. */
export function settingsThat<Schema extends FormSchema>(names: boolean, schema: Schema): Schema {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([key, field]): [string, FieldSchema][] => {
    if (!field.properties) return namesSecret(key) === names ? [[key, field]] : [];
    const inner = settingsThat(names, field);
    return Object.keys(inner.properties ?? {}).length > 0 ? [[key, inner]] : [];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** Adds titles to a schema; `variableOf` formats the title of a variable name. */
export function titled(
  { properties = {}, ...rest }: FormSchema,
  language: string,
  variableOf: (title: string) => string,
  path = "",
): FormSchema {
  const fields = Object.entries(properties).map(([key, field]): readonly [string, FieldSchema] => {
    const place = `${path}${key}`;
    const own = field["x-parley"]?.title;
    if (own) return [key, { ...field, label: language === "zh-CN" ? own.zh : own.en }];
    if (!(place in TITLES)) return [key, field];
    const title = settingTitle(place, language);
    const label = namesSecret(key) ? variableOf(title) : title;
    const inner = field.properties ? titled(field, language, variableOf, `${place}.`).properties : undefined;
    return [key, { ...field, label, ...(inner && { properties: inner }) }];
  });
  return { ...rest, properties: Object.fromEntries(fields) };
}
