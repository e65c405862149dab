import Joi from "@hapi/joi";
import { parseNetworks } from "./http/client-facts.ts";
import { type SettingDefinition, setting } from "./points/console/setting-definition.ts";

// Settings that more than one package reads; each is declared by one of them.

/** Setting to answer messages. Declared by plugin-chat. */
export const ANSWERS: SettingDefinition<boolean> = setting({
  key: "features.ai",
  schema: Joi.boolean().strict().default(true),
  group: "answering",
  title: { en: "The AI answers", zh: "由 AI 回答" },
  help: {
    en: "When off, messages are stored and commands work, but nothing is answered. To hold messages and answer them later, pause processing on the Gateway page.",
    zh: "关闭后消息仍会保存，命令可用，但不会得到回答。若要暂存消息、稍后再回答，请在“网关”页面暂停处理。",
  },
});

/** Setting to remember group conversations. Declared by plugin-sessions. */
export const GROUP_MEMORY: SettingDefinition<boolean> = setting({
  key: "features.group_memory",
  schema: Joi.boolean().strict().default(false),
  group: "answering",
  title: { en: "Remember what groups talk about", zh: "记录群聊内容" },
  help: {
    en: "Also stores group messages that are not meant for the bot and shows them to the model. What people tell the bot in a group is remembered in that group.",
    zh: "群里不是发给机器人的消息也会保存，并提供给模型；人们在群里告诉机器人的事也会在该群中被记住。",
  },
});

/** Setting to let channels reach private addresses. Declared by plugin-channels. */
export const PRIVATE_OUTBOUND: SettingDefinition<boolean> = setting({
  key: "gateway.allow_private_outbound",
  schema: Joi.boolean().strict().default(false),
  group: "network",
  title: { en: "Deliveries may reach private addresses", zh: "投递可访问内网地址" },
  help: {
    en: "Needed for a platform or bridge in your own network.",
    zh: "平台或桥位于内网时需要。",
  },
});

/** Setting of the time zone for days and displayed times. Declared by plugin-operations. */
export const TIME_ZONE: SettingDefinition<string> = setting({
  key: "timezone",
  schema: Joi.string().max(64).custom(validateTimeZone).default("UTC"),
  group: "general",
  title: { en: "Time zone", zh: "时区" },
  help: {
    en: "Used for the days of statistics and usage, and for the times of schedules and filter rules.",
    zh: "统计与用量按此时区划分日期，计划任务和过滤规则的时间也按此时区计算。",
  },
});

/** Timeout of a task run in seconds. Declared by plugin-gateway. */
export const RUN_TIMEOUT_S: SettingDefinition<number> = setting({
  key: "automation.run_timeout_s",
  schema: Joi.number().integer().min(10).max(3600).strict().default(600),
  group: "system",
  title: { en: "Time limit of a task (seconds)", zh: "任务时限（秒）" },
});

const addressSchema = Joi.string()
  .uri({ scheme: ["http", "https"] })
  .max(500)
  .allow("");
const listSchema = (check: (value: string) => string) =>
  Joi.array<readonly string[]>().items(Joi.string().max(200).custom(check)).max(200).default([]);

/** Public address of the service (`webSection`). Declared by plugin-operations, read by the host. */
export const PUBLIC_BASE_URL: SettingDefinition<string> = setting({
  key: "web.public_base_url",
  schema: addressSchema.default(""),
  group: "network",
  line: ["web", "public_base_url"],
  needsRestart: true,
  title: { en: "Public address", zh: "公开地址" },
  help: { en: "The address people use when the service is behind a proxy.", zh: "通过代理访问时的服务地址。" },
});

/** Networks whose forwarded headers are trusted. */
export const TRUSTED_PROXIES: SettingDefinition<readonly string[]> = setting({
  key: "web.trusted_proxies",
  schema: listSchema(validateNetwork),
  group: "network",
  line: ["web", "trusted_proxies"],
  needsRestart: true,
  title: { en: "Trusted proxies", zh: "受信任的代理" },
  help: {
    en: "Addresses and networks whose X-Forwarded headers are trusted.",
    zh: "信任这些地址和网段的 X-Forwarded 请求头。",
  },
});

/** Origins of other pages that may call the service. */
export const CORS_ORIGINS: SettingDefinition<readonly string[]> = setting({
  key: "web.cors_origins",
  schema: listSchema(validateOrigin),
  group: "network",
  line: ["web", "cors_origins"],
  needsRestart: true,
  title: { en: "Allowed origins", zh: "允许的来源" },
  help: {
    en: "Pages of these origins may call this service with a token.",
    zh: "这些来源的页面可携带令牌调用本服务。",
  },
});

function validateTimeZone(value: string): string {
  // Throws a RangeError with a readable text for an unknown name.
  new Intl.DateTimeFormat("en", { timeZone: value });
  return value;
}

function validateNetwork(value: string): string {
  if (value.trim() === "" || parseNetworks(value).wrong.length > 0)
    throw new Error(`'${value}' is no address and no network`);
  return value;
}

function validateOrigin(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new Error(`'${value}' is no origin, such as https://app.example.org`);
  return url.origin;
}
