import Joi, { type Schema } from "@hapi/joi";
import { networksOf } from "@parley/core";

/** One known setting (contract operations §7): its key, its default, what it may be. */
export interface SettingRow {
  readonly key: string;
  readonly default: unknown;
  readonly schema: Schema;
  /** The variable that stands for it when the file does not have it. */
  readonly env?: string;
  /** Its line in config.ini, which stands for it too; a list is written with commas. */
  readonly line?: readonly [section: string, key: string];
  readonly needsRestart?: boolean;
}

const onOff = Joi.boolean().strict();
const number = (min: number, max: number) => Joi.number().integer().min(min).max(max).strict();
const address = Joi.string()
  .uri({ scheme: ["http", "https"] })
  .max(500)
  .allow("");
const listOf = (check: (value: string) => string) => Joi.array().items(Joi.string().max(200).custom(check)).max(200);
const texts = Joi.array().items(Joi.string().max(200)).max(200);
const frontDoor = (key: string) => ({ line: ["web", key], needsRestart: true }) as const;
const object = Joi.object().unknown();

const SWITCHES: readonly (readonly [key: string, fallback: boolean])[] = [
  ["features.ai", true],
  ["features.memory", true],
  ["features.knowledge", true],
  ["features.workflow", true],
  ["features.avatar", true],
  ["features.tts", false],
  ["features.skill_scripts", false],
  ["features.group_memory", false],
  ["gateway.worker_autostart", true],
  ["gateway.allow_private_outbound", false],
  ["tools.allow_private_addresses", false],
  ["push.hide_content", false],
  ["push.platform_sessions", false],
  ["mcp.stdio_enabled", true],
];

export const SETTINGS: readonly SettingRow[] = [
  ...SWITCHES.map(([key, fallback]) => ({ key, default: fallback, schema: onOff })),
  { key: "features.sticker", default: false, schema: onOff, env: "SVC_STICKER_ENABLED" },
  {
    key: "features.sticker_probability",
    default: 0.3,
    schema: Joi.number().min(0).max(1).strict(),
    env: "SVC_STICKER_PROBABILITY",
  },
  { key: "features.sticker_api_url", default: "", schema: address, env: "SVC_STICKER_API_URL" },
  { key: "timezone", default: "UTC", schema: Joi.string().max(64).custom(timeZone) },
  {
    key: "language",
    default: "zh-CN",
    schema: Joi.string()
      .max(35)
      .pattern(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/),
  },
  { key: "master_id", default: "", schema: Joi.string().allow("").max(128) },
  { key: "admin_ids", default: [], schema: texts },
  { key: "bot_id", default: "", schema: Joi.string().allow("").max(128) },
  { key: "chat.turn_timeout_s", default: 300, schema: number(10, 1800) },
  { key: "chat.auto_state_interval", default: 3, schema: number(0, 100) },
  { key: "files.max_upload_mb", default: 50, schema: number(1, 1024) },
  { key: "gateway.concurrency", default: 8, schema: number(1, 64) },
  { key: "automation.run_timeout_s", default: 600, schema: number(10, 3600) },
  { key: "web.title", default: "Parley", schema: Joi.string().trim().min(1).max(60) },
  { key: "web.public_base_url", default: "", schema: address, ...frontDoor("public_base_url") },
  { key: "web.trusted_proxies", default: [], schema: listOf(network), ...frontDoor("trusted_proxies") },
  { key: "web.cors_origins", default: [], schema: listOf(origin), ...frontDoor("cors_origins") },
  { key: "card_platforms", default: [], schema: Joi.array().items(object).max(100) },
  { key: "theme", default: {}, schema: object },
];

function timeZone(value: string): string {
  // Throws a RangeError with a readable text for a name it does not know.
  new Intl.DateTimeFormat("en", { timeZone: value });
  return value;
}

function network(value: string): string {
  if (value.trim() === "" || networksOf(value).wrong.length > 0)
    throw new Error(`'${value}' is no address and no network`);
  return value;
}

function origin(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new Error(`'${value}' is no origin, such as https://app.example.org`);
  return url.origin;
}
