import Joi, { type CustomHelpers, type ObjectSchema, type SchemaMap } from "@hapi/joi";
import { type Common, listQuery, MODEL_PURPOSES, type ModelPurpose, type Page } from "@parley/core";

/** What people set in a model record (contract models §3). */
export interface ModelFields {
  readonly name: string;
  readonly purpose: ModelPurpose;
  readonly protocol: string;
  readonly provider: string;
  readonly base_url: string;
  readonly append_base_url_path: boolean;
  readonly model: string;
  readonly api_key_env: string | null;
  readonly enabled: boolean;
  readonly priority: number;
  readonly supports_tools: boolean;
  readonly supports_reasoning: boolean;
  readonly supports_stream: boolean;
  readonly temperature: number;
  readonly top_p: number;
  readonly frequency_penalty: number;
  readonly presence_penalty: number;
  readonly max_tokens: number;
  readonly max_context_length: number;
  readonly system_prompt: string;
  readonly timeout_s: number;
  readonly retry_count: number;
  readonly failover_timeout_s: number;
  readonly token_limit_daily: number;
  readonly token_limit_weekly: number;
  readonly input_price: number;
  readonly output_price: number;
  readonly voice: string;
  readonly audio_format: string;
  readonly language: string;
  readonly speed: number;
  readonly pitch: number;
  readonly volume: number;
  readonly dimensions: number;
  readonly extra_headers_env: Readonly<Record<string, string>>;
  readonly extra_body: Readonly<Record<string, unknown>>;
}

/** The key as it is kept: encrypted, with what may be shown of it. */
export interface SealedKey {
  readonly sealed: string;
  /** `****` and the last 4 characters, or `****` alone. */
  readonly mask: string;
}

export interface StoredModel extends ModelFields, Common {
  readonly key: SealedKey | null;
}

export interface ModelView extends ModelFields, Common {
  readonly has_api_key: boolean;
  readonly api_key_masked: string;
  readonly is_active: boolean;
}

export type ModelDraft = Partial<ModelFields> &
  Pick<ModelFields, "name" | "model"> & { readonly api_key?: string | null };
export type ModelPatch = Partial<ModelFields> & { readonly api_key?: string | null };

const text = (max: number) => Joi.string().allow("").max(max);
const label = (max: number) =>
  Joi.string()
    .trim()
    .normalize("NFC")
    .min(1)
    .max(max)
    .pattern(/^\P{Cc}*$/u, "printable text");
const variable = Joi.string()
  .pattern(/^[A-Z_][A-Z0-9_]{0,127}$/, "environment variable name")
  .allow(null);
const range = (min: number, max: number) => Joi.number().min(min).max(max);
const count = (min: number, max: number) => Joi.number().integer().min(min).max(max);
const derived = Joi.any().strip();

const RESERVED_BODY_KEYS = new Set(["model", "messages", "stream", "input", "contents"]);

/** What the REST rows, the AI configuration and the tests of a connection share. */
const connection: SchemaMap = {
  protocol: Joi.string().max(64),
  base_url: Joi.string().allow("").max(500).custom(checkBaseUrl),
  model: label(200),
  api_key: Joi.string().allow("", null).max(2000),
  api_key_env: variable,
};

const calling: SchemaMap = {
  ...connection,
  provider: text(50),
  append_base_url_path: Joi.boolean(),
  supports_tools: Joi.boolean(),
  supports_reasoning: Joi.boolean(),
  supports_stream: Joi.boolean(),
  temperature: range(0, 2),
  top_p: range(0, 1),
  frequency_penalty: range(-2, 2),
  presence_penalty: range(-2, 2),
  max_tokens: count(1, 1_000_000),
  max_context_length: count(1000, 10_000_000),
  system_prompt: text(20_000),
  timeout_s: count(1, 600),
  retry_count: count(0, 10),
  has_api_key: derived,
  api_key_masked: derived,
};

const fields: SchemaMap = {
  ...calling,
  name: label(100),
  purpose: Joi.valid(...MODEL_PURPOSES),
  enabled: Joi.boolean(),
  priority: count(0, 10_000),
  failover_timeout_s: count(0, 600),
  token_limit_daily: count(0, Number.MAX_SAFE_INTEGER),
  token_limit_weekly: count(0, Number.MAX_SAFE_INTEGER),
  input_price: Joi.number().min(0),
  output_price: Joi.number().min(0),
  voice: text(100),
  audio_format: text(20),
  language: text(20),
  speed: range(0.25, 4),
  pitch: range(0.5, 2),
  volume: range(0, 2),
  dimensions: count(1, 16_384),
  extra_headers_env: Joi.object()
    .pattern(/^[A-Za-z0-9-]{1,64}$/, variable.disallow(null))
    .max(32),
  extra_body: Joi.object().custom(checkExtraBody),
  is_active: derived,
};

export const modelDraft = Joi.object({
  ...fields,
  name: label(100).required(),
  model: label(200).required(),
}) as ObjectSchema<ModelDraft>;
export const modelPatch = Joi.object(fields) as ObjectSchema<ModelPatch>;
export interface ModelQuery extends Page {
  readonly purpose?: ModelPurpose;
  readonly protocol?: string;
  readonly enabled?: boolean;
  readonly q?: string;
}
export const modelQuery = listQuery<ModelQuery>({
  purpose: Joi.valid(...MODEL_PURPOSES),
  protocol: Joi.string(),
  enabled: Joi.boolean(),
  q: Joi.string().allow(""),
});

export const applyBody = Joi.object<{ purpose?: ModelPurpose }>({ purpose: Joi.valid(...MODEL_PURPOSES) });
export const toggleBody = Joi.object<{ enabled?: boolean }>({ enabled: Joi.boolean() });
export const cloneBody = Joi.object<{ name?: string }>({ name: label(100) });
export const tryBody = Joi.object<{ prompt?: string; timeout_s: number }>({
  prompt: Joi.string().max(2000),
  timeout_s: count(1, 120).default(30),
});
export const setPurposeBody = Joi.object<{ purpose: ModelPurpose; reset_defaults: boolean }>({
  purpose: Joi.valid(...MODEL_PURPOSES).required(),
  reset_defaults: Joi.boolean().default(true),
});

const purpose = Joi.valid(...MODEL_PURPOSES);
export const statusQuery = Joi.object<{ purpose?: ModelPurpose }>({ purpose });
export const resetBody = Joi.object<{ model_id?: string }>({ model_id: Joi.string().max(64) });
export const reorderBody = Joi.object<{
  purpose: ModelPurpose;
  priorities: readonly { readonly id: string; readonly priority: number }[];
}>({
  purpose: purpose.default("chat"),
  priorities: Joi.array()
    .items(Joi.object({ id: Joi.string().max(64).required(), priority: count(0, 10_000).required() }))
    .min(1)
    .max(500)
    .unique("id")
    .required(),
});

/** The fallback connection for chat and the global defaults (contract models §4). */
export interface AiConfigFields
  extends Pick<
    ModelFields,
    | "provider"
    | "protocol"
    | "base_url"
    | "append_base_url_path"
    | "model"
    | "api_key_env"
    | "temperature"
    | "max_tokens"
    | "top_p"
    | "frequency_penalty"
    | "presence_penalty"
    | "system_prompt"
    | "timeout_s"
    | "retry_count"
    | "max_context_length"
    | "supports_tools"
    | "supports_reasoning"
    | "supports_stream"
  > {
  readonly stream: boolean;
  readonly enable_memory: boolean;
  readonly search_api_url: string;
  readonly search_api_key_env: string | null;
}

export type AiConfigPatch = Partial<AiConfigFields> & { readonly api_key?: string | null };
export const aiConfigPatch = Joi.object({
  ...calling,
  model: label(200).allow(""),
  stream: Joi.boolean(),
  enable_memory: Joi.boolean(),
  search_api_url: Joi.string().allow("").max(500).custom(checkBaseUrl),
  search_api_key_env: variable,
  effective: derived,
}) as ObjectSchema<AiConfigPatch>;

export interface ConnectionTest {
  readonly protocol?: string;
  readonly base_url?: string;
  readonly model?: string;
  readonly api_key?: string | null;
  readonly api_key_env?: string | null;
  readonly timeout_s: number;
}
export const connectionTest = Joi.object({
  ...connection,
  timeout_s: count(1, 60).default(20),
}) as ObjectSchema<ConnectionTest>;

// Link-local addresses are where clouds keep their credentials; nothing an operator runs a model on.
const LINK_LOCAL = /^(169\.254\.|\[?fe[89ab][0-9a-f]:)/i;

function checkBaseUrl(value: string, helpers: CustomHelpers): unknown {
  if (value === "") return value;
  const url = URL.parse(value);
  const refuse = (why: string) => helpers.message({ custom: `{{#label}} ${why}` });
  if (!url || !/^https?:$/.test(url.protocol)) return refuse("must be an http or https address");
  if (url.username || url.password) return refuse("must not hold a user name or password");
  if (LINK_LOCAL.test(url.hostname)) return refuse("must not be a link-local address");
  return value;
}

function checkExtraBody(value: Record<string, unknown>, helpers: CustomHelpers): unknown {
  const reserved = Object.keys(value).find((key) => RESERVED_BODY_KEYS.has(key));
  if (reserved) return helpers.message({ custom: `{{#label}} cannot set ${reserved}` });
  if (JSON.stringify(value).length > 16_384) return helpers.message({ custom: "{{#label}} is larger than 16 KiB" });
  return value;
}
