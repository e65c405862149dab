import { createHash } from "node:crypto";
import { type Clock, type Localized, type ModelErrorCategory, toModelReason } from "@parley/core";
import type { ConfiguredModel } from "../records/configured-model.ts";
import { toModelKey } from "../records/configured-model.ts";
import type { Health, HealthFacts, ModelIdentity } from "./health.ts";
import type { TokenBudget, TokensUsed } from "./token-budget.ts";
import type { UnsupportedFeature, UnsupportedFeatures } from "./unsupported-features.ts";

interface LastError {
  readonly category: ModelErrorCategory;
  readonly status_code: number | null;
  readonly detail: string;
  readonly said: Localized;
  readonly at: string;
}

/** The health of a model in the form of the API. */
export interface HealthView {
  readonly model_id: string;
  readonly state: "healthy" | "cooling" | "exhausted" | "disabled";
  readonly consecutive_failures: number;
  readonly last_error: LastError | null;
  readonly last_success_at: string | null;
  readonly cooldown_until: string | null;
  readonly token_usage: TokensUsed;
  /** Tools and fields the model rejected, which are left out. */
  readonly left_out: readonly UnsupportedFeature[];
}

/** A tool that is not offered to a model because its provider rejected it. */
export interface RejectedTool {
  readonly tool: string;
  /** Id of the model; null for the model of the AI configuration. */
  readonly model_id: string | null;
  readonly model: string;
  readonly detail: string;
}

export interface QueueState {
  readonly candidates: readonly ConfiguredModel[];
  /** True when all models are cooling down and this is the one whose cooldown ends first. */
  readonly isLastResort: boolean;
  /** The first model of the queue that has no tokens left. */
  readonly exhausted: ConfiguredModel | undefined;
}

/** Selects the models of a queue that may be asked now. */
export interface ModelQueue {
  selectCandidates(queue: readonly ConfiguredModel[]): Promise<QueueState>;
  mayTry(model: ConfiguredModel): boolean;
  begin(model: ConfiguredModel): ReturnType<Health["begin"]>;
  view(model: ConfiguredModel): Promise<HealthView>;
  listRejectedTools(model: ConfiguredModel): readonly RejectedTool[];
  /** Forgets failures and rejections, with `tool` only that tool's rejection; returns false when there were none. */
  reset(model: ConfiguredModel, tool?: string): boolean;
}

export interface ModelQueueDeps {
  readonly health: Health;
  readonly budget: TokenBudget;
  readonly features: Pick<UnsupportedFeatures, "list" | "forget">;
  readonly clock: Clock;
}

export function createModelQueue({ health, budget, features, clock }: ModelQueueDeps): ModelQueue {
  const findLimitEnd = async (model: ConfiguredModel): Promise<number | undefined> => {
    const { token_limit_daily: daily, token_limit_weekly: weekly } = model.fields;
    if (model.modelId === "" || (daily === 0 && weekly === 0)) return undefined;
    const used = await budget.getUsed(model.modelId);
    if (weekly > 0 && used.weekly >= weekly) return budget.getPeriodEnds().week;
    return daily > 0 && used.daily >= daily ? budget.getPeriodEnds().day : undefined;
  };

  return {
    async selectCandidates(queue) {
      const limits = queue.some(hasLimit) ? await Promise.all(queue.map(findLimitEnd)) : [];
      const withinLimits = queue.filter((_, index) => limits[index] === undefined);
      const exhausted = queue.find((_, index) => limits[index] !== undefined);
      const healthy = withinLimits.filter((model) => health.mayTry(toModelIdentity(model)));
      if (healthy.length > 0 || withinLimits.length === 0)
        return { candidates: healthy, isLastResort: false, exhausted };
      const cooldownMs = (model: ConfiguredModel) => health.facts(toModelIdentity(model)).coolingMs;
      return {
        candidates: [...withinLimits].sort((a, b) => cooldownMs(a) - cooldownMs(b)).slice(0, 1),
        isLastResort: true,
        exhausted,
      };
    },
    mayTry: (model) => health.mayTry(toModelIdentity(model)),
    begin: (model) => health.begin(toModelIdentity(model)),
    async view(model) {
      const { failures, lastError, lastSuccessAt, coolingMs } = health.facts(toModelIdentity(model));
      const limitEnd = await findLimitEnd(model);
      const isCooling = coolingMs > 0;
      const healthState = isCooling ? "cooling" : "healthy";
      const until = limitEnd ?? (isCooling ? clock.now() + coolingMs : undefined);
      return {
        model_id: model.modelId,
        state: !model.fields.enabled ? "disabled" : limitEnd === undefined ? healthState : "exhausted",
        consecutive_failures: failures,
        last_error: lastError && toErrorView(lastError),
        last_success_at: lastSuccessAt,
        cooldown_until: until === undefined ? null : new Date(until).toISOString(),
        token_usage: await budget.getUsed(model.modelId),
        left_out: features.list(model),
      };
    },
    listRejectedTools(model) {
      const modelFields = { model_id: model.modelId || null, model: model.fields.name || model.fields.model };
      const tools = features.list(model).filter(({ kind }) => kind === "tool");
      return tools.map(({ name, detail }) => ({ tool: name, ...modelFields, detail }));
    },
    reset(model, tool) {
      const isForgotten = features.forget(model, tool);
      return (tool === undefined && health.reset(model.modelId)) || isForgotten;
    },
  };
}

function toErrorView({ chinese, reason, ...error }: NonNullable<HealthFacts["lastError"]>): LastError {
  const more = { ...(chinese !== undefined && { chinese }), ...(reason !== undefined && { reason }) };
  return { ...error, said: toModelReason({ ...error, ...more }) };
}

function hasLimit({ fields }: ConfiguredModel): boolean {
  return fields.token_limit_daily > 0 || fields.token_limit_weekly > 0;
}

// The identity includes address and key, so that a corrected one does not wait for the old cooldown.
function toModelIdentity(model: ConfiguredModel): ModelIdentity {
  const { fields, key, plainKey } = model;
  const { protocol, base_url, append_base_url_path, model: name, api_key_env } = fields;
  const connection = [protocol, base_url, append_base_url_path, name, api_key_env, key?.sealed, plainKey].join("\n");
  return { key: toModelKey(model), connection: createHash("sha256").update(connection).digest("base64url") };
}
