import type { ListedModel } from "@parley/core";
import { MODEL_PURPOSES } from "@parley/core";
import { answerFields, commonFields, listData, shape, without } from "@parley/core/http";
import type { QueuedModel } from "./failover/failover.ts";
import type { HealthView, RejectedTool } from "./failover/model-queue.ts";
import type { UnsupportedFeature } from "./failover/unsupported-features.ts";
import type { AiConfigView, ProtocolView, ServerModels } from "./records/configuration.ts";
import { models } from "./records/model-resource.ts";
import type { ModelTestResult } from "./records/model-tester.ts";
import type { Purpose } from "./records/purposes.ts";

const { id, text, time, flag, count, number, record, word, orNull, listOf, mapOf } = answerFields;
const purpose = word(...MODEL_PURPOSES);
const source = word("session", "active", "first_enabled", "ai_config", "environment", "offline");

const calling = {
  provider: text,
  protocol: text,
  base_url: text,
  append_base_url_path: flag,
  model: text,
  api_key_env: orNull(text),
  temperature: orNull(number),
  max_tokens: orNull(count),
  top_p: orNull(number),
  frequency_penalty: orNull(number),
  presence_penalty: orNull(number),
  system_prompt: text,
  timeout_s: count,
  retry_count: count,
  max_context_length: count,
  supports_tools: flag,
  supports_reasoning: flag,
  supports_stream: flag,
};
const key = { has_api_key: flag, api_key_masked: text };

export const purposeModelsData = listData(models.item, { purpose });
export const applyData = shape({ model_id: id, purpose, previous_model_id: orNull(id) });
export const toggleData = shape({ id, enabled: flag, is_active: flag });

export const aiConfig = shape<AiConfigView>(
  {
    ...calling,
    stream: flag,
    enable_memory: flag,
    search_api_url: text,
    search_api_key_env: orNull(text),
    ...key,
    effective: shape({ model_id: orNull(id), model: text, protocol: text, source: orNull(source) }, "EffectiveModel"),
    updated_at: orNull(time),
    revision: count,
  },
  "AiConfig",
);

const config = without(models.item, ["id", ...Object.keys({ ...models.derived, ...commonFields })], "ModelConfig");
export const purposeConfig = shape({ purpose, model_id: orNull(id), source, config }, "PurposeConfig");
export const allPurposesData = shape({ configs: mapOf(orNull(purposeConfig)) });
export const activeModelsData = shape({
  active_models: mapOf(
    shape(
      { model_id: orNull(id), source: orNull(source), model: orNull(models.item), has_config: flag },
      "ActiveModel",
    ),
  ),
});
export const purposeList = listData(
  shape<Purpose>({ id: purpose, name: text, icon: text, description: text, defaults: record }, "Purpose"),
);
export const protocolList = listData(
  shape<ProtocolView>(
    {
      id,
      name: text,
      purposes: listOf(purpose),
      default_base_url: text,
      key_env: text,
      supports: shape({ stream: flag, tools: flag, reasoning: flag, vision: flag }),
    },
    "Protocol",
  ),
);

const reasons = answerFields.localized.description("Why it failed, in English and Chinese");
const testFields = {
  ok: flag,
  elapsed_ms: number,
  status_code: orNull(count),
  category: orNull(text),
  detail: text,
  said: orNull(reasons),
};
const sampleFields = { ...testFields, sample: text, stream: orNull(shape({ first_ms: number, parts: count })) };
export const connectionTestData = shape({ ...sampleFields, model: text }, "ConnectionTrial");
export const modelTestData = shape<ModelTestResult>(
  {
    ...sampleFields,
    usage: shape({ input_tokens: count, output_tokens: count, total_tokens: count }),
  },
  "ModelTrial",
);

const { elapsed_ms: _elapsed, ...asked } = testFields;
export const serverModelsData = shape<ServerModels>(
  { ...asked, items: listOf(shape<ListedModel>({ id: text, name: text }, "ListedModel")) },
  "ServerModels",
);

const tokens = shape({ daily: count, weekly: count });
const health = shape<HealthView>(
  {
    model_id: id,
    state: word("healthy", "cooling", "exhausted", "disabled"),
    consecutive_failures: count,
    last_error: orNull(shape({ category: text, status_code: orNull(count), detail: text, said: reasons, at: time })),
    last_success_at: orNull(time),
    cooldown_until: orNull(time),
    token_usage: tokens,
    left_out: listOf(
      shape<UnsupportedFeature>({ kind: word("tool", "tools", "field"), name: text, detail: text }, "LeftOut"),
    ),
  },
  "ModelHealth",
);
export const failoverStatusData = shape({
  health: mapOf(health),
  refused_tools: listOf(
    shape<RejectedTool>({ tool: text, model_id: orNull(text), model: text, detail: text }, "RefusedTool"),
  ),
});
export const failoverResetData = shape({ reset: count });
export const failoverQueueData = listData(
  shape<QueuedModel>(
    {
      model_id: id,
      name: text,
      model: text,
      provider: text,
      priority: count,
      enabled: flag,
      is_active: flag,
      health,
      token_limit_daily: count,
      token_limit_weekly: count,
      failover_timeout_s: count,
      token_usage: tokens,
    },
    "QueuedModel",
  ),
  { purpose },
);
export const reorderData = shape({ updated: count, active_model_id: orNull(id), queue: failoverQueueData });
