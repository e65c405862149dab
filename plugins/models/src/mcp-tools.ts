import Joi from "@hapi/joi";
import {
  addUsageSums,
  type Clock,
  MODEL_PURPOSES,
  type ModelPurpose,
  NO_USAGE_SUM,
  type TokenUsage,
  type Tool,
  tool,
  type UsageSum,
} from "@parley/core";
import type { Configuration } from "./records/configuration.ts";
import type { ModelRecords } from "./records/model-records.ts";

const DAY_MS = 86_400_000;
const FOREVER = "9999-12-31T00:00:00.000Z";

export interface ModelToolsDeps {
  readonly records: ModelRecords;
  readonly configuration: Configuration;
  readonly usage: TokenUsage;
  readonly clock: Clock;
  readonly currency: () => string;
}

interface UsageQuery {
  readonly model_name?: string;
  readonly date_range: "today" | "7d" | "30d" | "all";
}

const READ_OPTIONS = { risk: "read", scope: "gateway.read", audience: ["mcp", "web-agent"] } as const;

/** Creates the read-only tools about models and their cost. */
export function createModelTools({ records, configuration, usage, clock, currency }: ModelToolsDeps): readonly Tool[] {
  return [
    tool<{ purpose?: ModelPurpose }>({
      ...READ_OPTIONS,
      name: "web_list_ai_models",
      help: { en: "Lists configured models, without keys and addresses.", zh: "列出已配置的模型，不含密钥和地址。" },
      purpose: "Lists the configured models, without keys and addresses.",
      args: Joi.object({ purpose: Joi.string().valid(...MODEL_PURPOSES) }),
      async run({ purpose }) {
        const all = (await records.listStored()).filter((model) => purpose === undefined || model.purpose === purpose);
        const models = all.map((model) => ({
          id: model.id,
          name: model.name,
          provider: model.provider,
          model: model.model,
          purpose: model.purpose,
          enabled: model.enabled,
          temperature: model.temperature,
          max_tokens: model.max_tokens,
          priority: model.priority,
          input_price: model.input_price,
          output_price: model.output_price,
        }));
        return { models, count: models.length, total: models.length, truncated: false };
      },
    }),
    tool({
      ...READ_OPTIONS,
      name: "web_get_active_models",
      help: { en: "Shows which model is used for each purpose.", zh: "查看各用途所用的模型。" },
      purpose: "Returns the model that serves each purpose.",
      args: Joi.object<object>({}),
      async run() {
        const { active_models } = await configuration.listActive();
        const active = Object.entries(active_models).flatMap(([purpose, { model }]) => {
          if (!model) return [];
          const { id, name, model: wireName, provider, priority } = model;
          return [[purpose, { id, name, model: wireName, provider, priority }] as const];
        });
        return { active_models: Object.fromEntries(active) };
      },
    }),
    tool<UsageQuery>({
      ...READ_OPTIONS,
      name: "web_get_token_usage",
      help: { en: "Tokens and cost of each model between two dates.", zh: "某段日期内各模型的 token 用量和费用。" },
      purpose: "Returns tokens and cost by model for a range of days.",
      args: Joi.object({
        model_name: Joi.string().trim().min(1).max(200),
        date_range: Joi.string().valid("today", "7d", "30d", "all").default("all"),
      }),
      async run({ model_name, date_range }) {
        const sums = await usage.sums("model", toRangeStart(date_range, clock.now()), FOREVER);
        const selected = sums.filter(({ name }) => model_name === undefined || name === model_name);
        const by_model = Object.fromEntries(
          selected.map(({ name, ...sum }) => [name, addUsageSums(NO_USAGE_SUM, sum)]),
        );
        return { currency: currency(), total: selected.reduce<UsageSum>(addUsageSums, NO_USAGE_SUM), by_model };
      },
    }),
  ];
}

function toRangeStart(range: UsageQuery["date_range"], nowMs: number): string {
  if (range === "all") return new Date(0).toISOString();
  const today = nowMs - (nowMs % DAY_MS);
  const days = { today: 0, "7d": 6, "30d": 29 }[range];
  return new Date(today - days * DAY_MS).toISOString();
}
