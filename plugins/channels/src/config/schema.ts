import Joi from "@hapi/joi";
import {
  type Capabilities,
  type ChannelConfig,
  type ChannelStatus,
  type Common,
  channelStatusShape,
  displayName,
  type Localized,
  resource,
  type Transport,
  textOf,
  withLabel,
  withPattern,
} from "@parley/core";
import { RESERVED_CHANNEL_IDS } from "@parley/core/channels";
import { answerFields } from "@parley/core/http";
import { secretVariableData } from "../responses.ts";
import { channelsTexts } from "../texts.ts";
import type { SecretsInput, SecretVariable } from "./secret-variables.ts";

/** A row of data/channels.json. */
export interface StoredChannel extends ChannelConfig, Common {
  readonly description: string;
  readonly builtin: boolean;
}

export interface ChannelView extends StoredChannel {
  readonly webhook_path: string | null;
  readonly status: ChannelStatus;
  /** JSON Schema of `config`; null when no installed package serves the type. */
  readonly config_schema: object | null;
  /** Variables that `config` names and that have no value anywhere. */
  readonly missing_variables: readonly string[];
  /** The variables that `config` refers to, each with the source of its value. */
  readonly variables: readonly SecretVariable[];
  /** True when the platform can verify the credentials. */
  readonly can_check: boolean;
  /** Transports that the channel's type offers. */
  readonly transports: readonly string[];
  /** True when people can be written to unasked. */
  readonly can_begin: boolean;
}

/** Editable fields of a channel. */
export interface ChannelFields {
  readonly name: string;
  readonly type: string;
  readonly transport?: Transport;
  readonly description: string;
  readonly enabled: boolean;
  readonly config: Readonly<Record<string, unknown>>;
  readonly capabilities: Partial<Capabilities>;
  /** Secrets by variable name; never returned. */
  readonly secrets?: SecretsInput;
}
export type ChannelDraft = ChannelFields & { readonly id?: string };
export type ChannelPatch = Partial<ChannelFields>;
export type CheckDraft = Pick<ChannelPatch, "config" | "secrets">;

const VARIABLE_PATTERN = /^[A-Z_][A-Z0-9_]{0,127}$/;
/** Valid names of a transport; known ones are checked against the adapter. */
const TRANSPORT_PATTERN = /^[a-z][a-z0-9-]{0,31}$/;
const TRANSPORT_RULE: Localized = { en: "must be a word in small letters", zh: "须为小写字母组成的词" };
/** Transports of types without an adapter. */
export const DEFAULT_TRANSPORTS: readonly string[] = ["webhook", "websocket", "bridge", "polling"];
const id = withPattern(Joi.string(), /^[A-Za-z0-9_-]{2,64}$/, {
  en: "must be 2 to 64 letters, digits, _ or -",
  zh: "须为 2 至 64 个字母、数字、_ 或 -",
}).invalid(...RESERVED_CHANNEL_IDS);
const name = displayName(100);
const description = textOf(4000);
const config = Joi.object().unknown();
const flag = Joi.boolean();
const capabilities = Joi.object({
  supports_stream: flag,
  supports_progress_updates: flag,
  supports_file_send: flag,
  supports_stop: flag,
  supports_tools: flag,
});
const secrets = Joi.object().pattern(
  Joi.string().pattern(VARIABLE_PATTERN),
  // Values go into headers and addresses. The message omits the value, which is a secret.
  withPattern(
    Joi.string().trim().min(1).max(4096),
    /^[\x20-\x7e]+$/,
    channelsTexts.error("bad_request", "secret_signs"),
  ).allow(null),
);
const toTitle = (en: string, zh: string) => ({ title: { en, zh } });

/** The resource of channels, which people configure. */
export const channels = resource<ChannelFields>({
  kind: "channel",
  path: "/api/channels",
  param: "channel_id",
  idPrefix: "ch",
  title: { one: { en: "channel", zh: "渠道" }, many: { en: "channels", zh: "渠道" } },
  about: {
    en: "A channel connects a messenger, a website or a program. Messages that arrive there are answered there.",
    zh: "渠道连接一个聊天平台、网站或程序，来自那里的消息会在那里得到回复。",
  },
  chosenId: id,
  fields: {
    name: withLabel(name.required(), toTitle("Name", "名称")),
    type: withLabel(
      withPattern(Joi.string(), /^[A-Za-z0-9_-]{1,32}(:[A-Za-z0-9_-]{1,32})?$/, {
        en: "must be 1 to 32 letters, digits, _ or -; two such words with : between them for a type of a family",
        zh: "须为 1 至 32 个字母、数字、_ 或 -；同一系列的类型为中间以 : 相隔的两个词",
      }).default("custom"),
      toTitle("Type", "类型"),
    ),
    transport: withLabel(
      withPattern(Joi.string(), TRANSPORT_PATTERN, TRANSPORT_RULE),
      toTitle("Transport", "连接方式"),
    ),
    description: withLabel(description.default(""), { ...toTitle("Description", "描述"), widget: "textarea" }),
    enabled: withLabel(flag.default(true), toTitle("Enabled", "启用")),
    config: withLabel(config.default({}), toTitle("Settings", "设置")),
    capabilities: withLabel(capabilities.default({}), toTitle("Capabilities", "能力")),
    secrets: withLabel(secrets.optional(), toTitle("Secrets", "密钥")),
  },
  secret: ["secrets"],
  derived: {
    builtin: Joi.boolean().required(),
    webhook_path: Joi.string().allow(null).required(),
    status: channelStatusShape.required(),
    config_schema: Joi.object().unknown().allow(null).required(),
    missing_variables: answerFields.texts.required(),
    variables: answerFields.listOf(secretVariableData).required(),
    can_check: answerFields.flag.required(),
    transports: answerFields.texts.required(),
    can_begin: answerFields.flag.required().description("False when the bot can only answer there"),
  },
  filters: ["type", "enabled"],
  query: { builtin: flag },
  sort: ["name"],
  verbs: ["list", "create", "update", "remove"],
  scopes: { change: "admin" },
  columns: ["name", "type", "transport", "enabled", "updated_at"],
});

export const presetBody = Joi.object<Partial<ChannelDraft>>({
  id,
  name,
  description,
  enabled: flag,
  transport: withPattern(Joi.string(), TRANSPORT_PATTERN, TRANSPORT_RULE),
  config,
  capabilities,
  secrets,
});
export const checkBody = Joi.object<CheckDraft>({ config, secrets });

export interface TestMessage {
  readonly conversation_id: string;
  readonly text: string;
  readonly is_group: boolean;
}
export const testMessage = Joi.object<TestMessage>({
  conversation_id: Joi.string().min(1).max(128).required(),
  text: Joi.string().trim().min(1).max(1000).required(),
  is_group: Joi.boolean().default(false),
});

export const NO_CAPABILITIES: Capabilities = {
  supports_stream: false,
  supports_progress_updates: false,
  supports_file_send: false,
  supports_stop: false,
};
const BUILT_IN_CREATED_AT = "2026-01-01T00:00:00.000Z";
const createBuiltIn = (
  channelId: string,
  title: string,
  transport: Transport,
  supported: Partial<Capabilities>,
): StoredChannel => ({
  id: channelId,
  name: title,
  type: channelId,
  transport,
  description: "",
  enabled: channelId === "web",
  builtin: true,
  config: {},
  capabilities: { ...NO_CAPABILITIES, ...supported },
  created_at: BUILT_IN_CREATED_AT,
  updated_at: BUILT_IN_CREATED_AT,
  revision: 1,
});

/** Channels that always exist; they can be changed and switched off, not deleted. */
export const BUILT_IN: readonly StoredChannel[] = [
  createBuiltIn("web", "Web console", "websocket", {
    supports_stream: true,
    supports_progress_updates: true,
    supports_file_send: true,
    supports_stop: true,
    supports_tools: true,
  }),
  createBuiltIn("imA", "imA", "bridge", { supports_file_send: true, supports_tools: true }),
  createBuiltIn("imAbot", "imAbot", "websocket", { supports_file_send: true, supports_tools: true }),
];

export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly title?: Localized;
  readonly description: string;
  readonly channel: Pick<StoredChannel, "id" | "name" | "type" | "transport" | "config">;
  /**
   * Transport where nothing is prepared for webhooks: the service has no public address, and the channel neither a `webhook_url` nor
   * a value of the variable that its setting `secret` names.
   */
  readonly withoutWebhook?: { readonly transport: Transport; readonly secret: string };
}

const IMC_CONFIG = {
  app_id: "",
  app_secret_env: "IMC_APP_SECRET",
  encrypt_key_env: "IMC_ENCRYPT_KEY",
  verification_token_env: "IMC_VERIFICATION_TOKEN",
  region: "cn",
};

/** Drafts that fill in the form of a new channel. */
export const PRESETS: readonly Preset[] = [
  {
    id: "imB",
    name: "imB",
    description: "imB by webhook, or by polling where nothing is prepared for webhooks",
    withoutWebhook: { transport: "polling", secret: "secret_token_env" },
    channel: {
      id: "imB",
      name: "imB",
      type: "imB",
      transport: "webhook",
      config: { bot_token_env: "IMB_BOT_TOKEN", secret_token_env: "IMB_WEBHOOK_SECRET", webhook_url: "" },
    },
  },
  {
    id: "imC",
    name: "imC",
    description: "imC by webhook",
    channel: { id: "imC", name: "imC", type: "imC", transport: "webhook", config: { ...IMC_CONFIG, webhook_url: "" } },
  },
  {
    id: "imC_ws",
    name: "imC (long connection)",
    title: { en: "imC (long connection)", zh: "imC（长连接）" },
    description: "imC over a connection that this service opens",
    channel: { id: "imC_ws", name: "imC", type: "imC", transport: "websocket", config: IMC_CONFIG },
  },
  {
    id: "generic_webhook",
    name: "Webhook",
    description: "Any program that can post JSON",
    channel: {
      id: "webhook",
      name: "Webhook",
      type: "custom",
      transport: "webhook",
      config: { auth: { type: "static", secret_env: "SVC_WEBHOOK_SECRET" } },
    },
  },
];

const SECRET_KEY_PATTERN = /(token|secret|password|authorization|cookie|api_key|access_key|private_key|signature)$/i;
const RESERVED_VARIABLES = /^(SVC_(?!WEBHOOK_).*|WEB_PASSWORD|PATH|HOME|NODE_OPTIONS)$/;
const MAX_CONFIG_CHARS = 64 * 1024;

/** Rejects settings that contain a secret instead of the name of its variable, and settings that are too large. */
export function checkConfig(settings: Readonly<Record<string, unknown>>, path = "config"): void {
  if (path === "config" && JSON.stringify(settings).length > MAX_CONFIG_CHARS)
    throw channelsTexts.error("bad_request", "config_large", {}, { field: "config" });
  for (const [key, value] of Object.entries(settings)) {
    if (SECRET_KEY_PATTERN.test(key)) {
      throw channelsTexts.error("bad_request", "secret_kept", { key }, { field: `${path}.${key}` });
    }
    if (
      key.endsWith("_env") &&
      value !== "" &&
      !(typeof value === "string" && VARIABLE_PATTERN.test(value) && !RESERVED_VARIABLES.test(value))
    ) {
      throw channelsTexts.error("bad_request", "variable_name", {}, { field: `${path}.${key}` });
    }
    if (typeof value === "object" && value !== null) checkConfig(value as Record<string, unknown>, `${path}.${key}`);
  }
}
