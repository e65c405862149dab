import Joi, { type SchemaMap } from "@hapi/joi";
import { MODEL_PURPOSES } from "@parley/core";
import { modelView } from "./schema.ts";

// What the rows answer; for the description of the API, and for those who read it.

const number = Joi.number().required();
const word = Joi.string().required();
const text = Joi.string().allow("").required();
const flag = Joi.boolean().required();
const orNull = Joi.string().allow(null).required();
const source = Joi.valid("session", "active", "first_enabled", "ai_config", "environment", "offline", null).required();
const category = Joi.valid(
  ...["network", "timeout", "server_error", "rate_limited", "quota", "auth", "no_key", "invalid_response"],
  ...["model_missing", "context_length", "bad_request", "content_refused", "exhausted"],
).required();
const purpose = Joi.valid(...MODEL_PURPOSES).required();
const list = (item: Joi.Schema, more: SchemaMap = {}) =>
  Joi.object({ items: Joi.array().items(item).required(), total: number, limit: number, offset: number, ...more });
const byPurpose = (value: Joi.Schema) => Joi.object(Object.fromEntries(MODEL_PURPOSES.map((name) => [name, value])));

const tokensUsed = Joi.object({ daily: number, weekly: number }).required();
const health = Joi.object({
  model_id: text,
  state: Joi.valid("healthy", "cooling", "exhausted", "disabled").required(),
  consecutive_failures: number,
  last_error: Joi.object({ category, status_code: Joi.number().allow(null).required(), detail: text, at: word })
    .allow(null)
    .required(),
  last_success_at: orNull,
  cooldown_until: orNull,
  token_usage: tokensUsed,
});
const queue = list(
  Joi.object({
    model_id: word,
    name: word,
    model: word,
    provider: text,
    priority: number,
    enabled: flag,
    is_active: flag,
    health: health.required(),
    token_limit_daily: number,
    token_limit_weekly: number,
    failover_timeout_s: number,
    token_usage: tokensUsed,
  }),
  { purpose },
);

const trial: SchemaMap = {
  ok: flag,
  elapsed_ms: number,
  status_code: Joi.number().allow(null).required(),
  category: category.allow(null),
  detail: text,
};
/** A model's fields without its record: they may belong to the AI configuration. */
const fields = Joi.object().unknown();
const purposeConfig = Joi.object({ purpose, model_id: orNull, source, config: fields.required() });

export const ANSWERED = {
  status: Joi.object({ health: Joi.object().pattern(Joi.string(), health).required() }),
  reset: Joi.object({ reset: number }),
  queue,
  reorder: Joi.object({ updated: number, active_model_id: orNull, queue: queue.required() }),
  models: list(modelView),
  modelsOfPurpose: list(modelView, { purpose }),
  deleted: Joi.object({ id: word, deleted: Joi.valid(true).required() }),
  apply: Joi.object({ model_id: word, purpose, previous_model_id: orNull }),
  toggle: Joi.object({ id: word, enabled: flag, is_active: flag }),
  modelTest: Joi.object({
    ...trial,
    sample: text,
    usage: Joi.object({ input_tokens: number, output_tokens: number, total_tokens: number }).required(),
  }),
  connectionTest: Joi.object({ ...trial, model: text }),
  aiConfig: Joi.object({
    has_api_key: flag,
    api_key_masked: text,
    effective: Joi.object({ model_id: orNull, model: text, protocol: text, source }).required(),
    updated_at: orNull,
    revision: number,
  }).unknown(),
  purposeConfig,
  purposeConfigs: Joi.object({ configs: byPurpose(purposeConfig.allow(null).required()).required() }),
  purposes: list(Joi.object({ id: purpose, name: word, icon: word, description: text, defaults: fields.required() })),
  protocols: list(
    Joi.object({
      id: word,
      name: word,
      purposes: Joi.array().items(purpose.optional()).required(),
      default_base_url: text,
      key_env: text,
      supports: Joi.object({ stream: flag, tools: flag, reasoning: flag, vision: flag }).required(),
    }),
  ),
  activeByPurpose: Joi.object({
    active_models: byPurpose(
      Joi.object({ model_id: orNull, source, model: modelView.allow(null).required(), has_config: flag }).required(),
    ).required(),
  }),
} as const;
