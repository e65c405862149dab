import Joi, { type CustomHelpers, type Schema } from "@hapi/joi";
import { displayName, MODEL_PURPOSES, reportProblem, resource, textOf, withLabel, withPattern } from "@parley/core";
import { modelsTexts } from "../texts.ts";
import type { ModelFields } from "./model-fields.ts";

/** The submitted fields of a model, with a key that is never returned. */
export type ModelInput = ModelFields & KeyInput;

/** A submitted key: as text, or the id of another model whose key is used. */
export interface KeyInput {
  readonly api_key?: string | null | undefined;
  readonly api_key_from?: string | undefined;
}

// Link-local addresses give access to cloud credentials; no model is served there.
const LINK_LOCAL = /^(169\.254\.|\[?fe[89ab][0-9a-f]:)/i;
const RESERVED_BODY_KEYS = new Set(["model", "messages", "stream", "input", "contents"]);

const variableNameSchema = withPattern(Joi.string(), /^[A-Z_][A-Z0-9_]{0,127}$/, {
  en: "must be the name of an environment variable",
  zh: "须为环境变量名",
});
const range = (min: number, max: number) => Joi.number().min(min).max(max);
export const count = (min: number, max: number) => Joi.number().integer().min(min).max(max);
const tokens = count(0, Number.MAX_SAFE_INTEGER);
export const webAddress = Joi.string().allow("").max(500).custom(checkBaseUrl);
export const variableName = variableNameSchema.allow(null);

const label = (en: string, zh: string, more: object = {}) => ({ title: { en, zh }, ...more });
const help = (en: string, zh: string) => ({ help: { en, zh } });
const purposeLabels = {
  chat: { en: "Conversations", zh: "对话" },
  vision: { en: "Image understanding", zh: "图像理解" },
  video: { en: "Video understanding", zh: "视频理解" },
  image_generation: { en: "Image generation", zh: "图像生成" },
  tts: { en: "Text to speech", zh: "语音合成" },
  stt: { en: "Speech recognition", zh: "语音识别" },
  embedding: { en: "Embeddings for search", zh: "检索向量" },
  rerank: { en: "Reranking search results", zh: "搜索结果重排" },
};

/** Fields of a connection, shared by the AI configuration and its test. */
export const connectionFields = {
  protocol: withLabel(Joi.string().max(64), label("Protocol", "协议")),
  base_url: withLabel(webAddress, label("Address (base URL)", "地址 (Base URL)")),
  model: withLabel(displayName(200), label("Model name", "模型名称")),
  api_key: withLabel(
    Joi.string().allow("", null).max(2000).optional(),
    label("API key", "API 密钥", {
      widget: "secret",
      ...help(
        "Stored encrypted and never shown again. Local servers often need none.",
        "加密保存，不再显示。本地服务通常不需要密钥。",
      ),
    }),
  ),
  api_key_env: withLabel(
    variableName,
    label(
      "Environment variable with the key",
      "密钥所在的环境变量",
      help("Used when no key is stored.", "未保存密钥时使用。"),
    ),
  ),
} satisfies Readonly<Record<string, Schema>>;

/** Field that names another model whose key is used. */
export const keyFrom = withLabel(
  Joi.string().max(64),
  label(
    "Key of the model",
    "使用此模型的密钥",
    help(
      "Its id. The key is copied, where protocol and server are the same; it stays when that model goes.",
      "模型 ID。协议与服务器相同时复制其密钥；该模型删除后仍保留。",
    ),
  ),
);

/** Fields that are sent with every call; null ones are left out. */
export const callFields = {
  provider: withLabel(textOf(50), label("Provider", "服务商")),
  append_base_url_path: withLabel(
    Joi.boolean(),
    label("Add the protocol's path to the address", "在地址后追加协议路径"),
  ),
  temperature: withLabel(range(0, 2).allow(null), label("Temperature", "温度")),
  max_tokens: withLabel(count(1, 1_000_000).allow(null), label("Maximum answer length (tokens)", "最长回答（token）")),
  top_p: withLabel(range(0, 1).allow(null), label("Top p", "Top p")),
  frequency_penalty: withLabel(range(-2, 2).allow(null), label("Frequency penalty", "频率惩罚")),
  presence_penalty: withLabel(range(-2, 2).allow(null), label("Presence penalty", "存在惩罚")),
  max_context_length: withLabel(count(1000, 10_000_000), label("Context window (tokens)", "上下文窗口（token）")),
  system_prompt: withLabel(
    textOf(20_000),
    label("Text before every prompt", "置于每次提示之前", { widget: "textarea" }),
  ),
  timeout_s: withLabel(count(1, 600), label("Time limit (seconds)", "超时（秒）")),
  retry_count: withLabel(count(0, 10), label("Retries", "失败后重试次数")),
  supports_stream: withLabel(Joi.boolean(), label("Supports streaming", "支持流式输出")),
  supports_tools: withLabel(Joi.boolean(), label("Supports tool calls", "支持工具调用")),
  supports_reasoning: withLabel(Joi.boolean(), label("Supports reasoning", "支持思考过程")),
} satisfies Readonly<Record<string, Schema>>;

/**
 * The resource of models. The contract has no route for a single one and a separate route for the purpose, and
 * defaults depend on purpose and protocol: so no field has a default here.
 */
export const models = resource<ModelInput>({
  kind: "model",
  path: "/api/ai-models",
  param: "model_id",
  idPrefix: "model",
  title: { one: { en: "model", zh: "模型" }, many: { en: "models", zh: "模型" } },
  about: {
    en: "Models answer conversations, understand images and more. They are tried in order: when one fails, the next answers.",
    zh: "模型用于回答会话、理解图像等：按顺序调用，失败时由下一个接替。",
  },
  fields: {
    name: withLabel(displayName(100).required(), label("Name", "名称")),
    purpose: withLabel(Joi.valid(...MODEL_PURPOSES), label("Used for", "用途", { options: purposeLabels })),
    ...connectionFields,
    api_key_from: keyFrom.optional(),
    model: connectionFields.model.required(),
    ...callFields,
    enabled: withLabel(Joi.boolean(), label("Enabled", "启用")),
    priority: withLabel(count(0, 10_000), label("Position in the order", "顺序", help("0: the first", "0：第一个"))),
    failover_timeout_s: withLabel(
      count(0, 600),
      label("Try the next model after (seconds, 0: the time limit)", "多久后换下一模型（秒，0 为超时值）"),
    ),
    token_limit_daily: withLabel(tokens, label("Tokens per day (0: no limit)", "每日 token 上限（0 为不限）")),
    token_limit_weekly: withLabel(tokens, label("Tokens per week (0: no limit)", "每周 token 上限（0 为不限）")),
    input_price: withLabel(Joi.number().min(0), label("Price per million input tokens", "每百万输入 token 价格")),
    output_price: withLabel(Joi.number().min(0), label("Price per million output tokens", "每百万输出 token 价格")),
    cache_read_price: withLabel(
      Joi.number().min(0).allow(null),
      label(
        "Price per million cached input tokens",
        "每百万缓存命中输入 token 价格",
        help("Left empty: a tenth of the input price.", "留空：输入价格的十分之一。"),
      ),
    ),
    cache_write_price: withLabel(
      Joi.number().min(0).allow(null),
      label(
        "Price per million input tokens written to the cache",
        "每百万写入缓存的输入 token 价格",
        help("Left empty: 1.25 times the input price.", "留空：输入价格的 1.25 倍。"),
      ),
    ),
    voice: withLabel(textOf(100), label("Voice", "音色")),
    audio_format: withLabel(textOf(20), label("Audio format", "音频格式")),
    language: withLabel(textOf(20), label("Language", "语言")),
    speed: withLabel(range(0.25, 4), label("Speed", "语速")),
    pitch: withLabel(range(0.5, 2), label("Pitch", "音调")),
    volume: withLabel(range(0, 2), label("Volume", "音量")),
    dimensions: withLabel(count(1, 16_384), label("Embedding dimensions", "向量维度")),
    extra_headers_env: withLabel(
      Joi.object()
        .pattern(/^[A-Za-z0-9-]{1,64}$/, variableNameSchema)
        .max(32),
      label("Additional headers", "附加请求头", {
        widget: "json",
        ...help("Header name: environment variable with its value", "请求头名称：其值所在的环境变量"),
      }),
    ),
    extra_body: withLabel(
      Joi.object().custom(checkExtraBody),
      label("Additional request fields", "附加请求字段", { widget: "json" }),
    ),
  },
  derived: {
    has_api_key: withLabel(Joi.boolean().required(), label("Has a key", "已有密钥")),
    api_key_masked: withLabel(Joi.string().allow("").required(), label("Key", "密钥")),
    is_active: withLabel(Joi.boolean().required(), label("In use", "使用中")),
  },
  secret: ["api_key", "api_key_from"],
  fixed: ["purpose"],
  search: ["name", "model", "provider"],
  filters: ["purpose", "protocol", "enabled"],
  // By default sorted by purpose, then by priority.
  sort: ["purpose", "name", "priority"],
  verbs: ["list", "create", "update", "remove"],
  scopes: { change: "admin" },
  columns: ["name", "purpose", "model", "protocol", "enabled", "is_active"],
});

function checkBaseUrl(value: string, helpers: CustomHelpers): unknown {
  if (value === "") return value;
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol))
    return reportProblem(modelsTexts.error("bad_request", "no_web_address"), helpers);
  if (url.username || url.password) return reportProblem(modelsTexts.error("bad_request", "address_login"), helpers);
  if (LINK_LOCAL.test(url.hostname)) return reportProblem(modelsTexts.error("bad_request", "link_local"), helpers);
  return value;
}

function checkExtraBody(value: Record<string, unknown>, helpers: CustomHelpers): unknown {
  const reserved = Object.keys(value).find((key) => RESERVED_BODY_KEYS.has(key));
  if (reserved) return reportProblem(modelsTexts.error("bad_request", "body_fixed", { name: reserved }), helpers);
  if (JSON.stringify(value).length > 16_384)
    return reportProblem(modelsTexts.error("bad_request", "body_large"), helpers);
  return value;
}
