import { createHash } from "node:crypto";
import { type Clock, type Localized, type ModelErrorCategory, modelFailureSaid } from "@parley/core";
import type { ConfiguredModel } from "../catalog.ts";
import { keyOf } from "./attempt-log.ts";
import type { Health, HealthFacts, KnownModel } from "./health.ts";
import type { LeftOut, Refusals } from "./refusals.ts";
import type { TokenBudget, TokensUsed } from "./token-budget.ts";

/** Why a model failed last. */
interface LastError {
  readonly category: ModelErrorCategory;
  readonly status_code: number | null;
  readonly detail: string;
  readonly said: Localized;
  readonly at: string;
}

/** What the rows show of a model. */
export interface HealthView {
  readonly model_id: string;
  readonly state: "healthy" | "cooling" | "exhausted" | "disabled";
  readonly consecutive_failures: number;
  readonly last_error: LastError | null;
  readonly last_success_at: string | null;
  readonly cooldown_until: string | null;
  readonly token_usage: TokensUsed;
  /** Tools and fields that the model refused and is not sent any more. */
  readonly left_out: readonly LeftOut[];
}

/** A tool that a model is not offered because its provider rejected it. */
export interface RefusedTool {
  readonly tool: string;
  /** Null: of the AI configuration. */
  readonly model_id: string | null;
  readonly model: string;
  readonly detail: string;
}

export interface Usable {
  readonly usable: readonly ConfiguredModel[];
  /** True: all of them rest, and this is the one whose rest ends first. */
  readonly isLastResort: boolean;
  /** The first that has no tokens left. */
  readonly exhausted: ConfiguredModel | undefined;
}

/** Which models of a queue may be asked now. */
export interface Line {
  usable(queue: readonly ConfiguredModel[]): Promise<Usable>;
  mayTry(model: ConfiguredModel): boolean;
  begin(model: ConfiguredModel): ReturnType<Health["begin"]>;
  view(model: ConfiguredModel): Promise<HealthView>;
  refusedTools(model: ConfiguredModel): readonly RefusedTool[];
  /** Forgets failures and what was refused; with `tool` only that the model refused this one. False: there was nothing. */
  reset(model: ConfiguredModel, tool?: string): boolean;
}

export interface LineParts {
  readonly health: Health;
  readonly budget: TokenBudget;
  readonly refusals: Pick<Refusals, "leftOut" | "forget">;
  readonly clock: Clock;
}

export function createLine({ health, budget, refusals, clock }: LineParts): Line {
  const endOfLimit = async (model: ConfiguredModel): Promise<number | undefined> => {
    const { token_limit_daily: daily, token_limit_weekly: weekly } = model.fields;
    if (model.modelId === "" || (daily === 0 && weekly === 0)) return undefined;
    const used = await budget.used(model.modelId);
    if (weekly > 0 && used.weekly >= weekly) return budget.ends().week;
    return daily > 0 && used.daily >= daily ? budget.ends().day : undefined;
  };

  return {
    async usable(queue) {
      const limits = queue.some(hasLimit) ? await Promise.all(queue.map(endOfLimit)) : [];
      const left = queue.filter((_, index) => limits[index] === undefined);
      const exhausted = queue.find((_, index) => limits[index] !== undefined);
      const healthy = left.filter((model) => health.mayTry(known(model)));
      if (healthy.length > 0 || left.length === 0) return { usable: healthy, isLastResort: false, exhausted };
      const rest = (model: ConfiguredModel) => health.facts(known(model)).coolingMs;
      return { usable: [...left].sort((a, b) => rest(a) - rest(b)).slice(0, 1), isLastResort: true, exhausted };
    },
    mayTry: (model) => health.mayTry(known(model)),
    begin: (model) => health.begin(known(model)),
    async view(model) {
      const { failures, lastError, lastSuccessAt, coolingMs } = health.facts(known(model));
      const limitEnd = await endOfLimit(model);
      const isCooling = coolingMs > 0;
      const rested = isCooling ? "cooling" : "healthy";
      const until = limitEnd ?? (isCooling ? clock.now() + coolingMs : undefined);
      return {
        model_id: model.modelId,
        state: !model.fields.enabled ? "disabled" : limitEnd === undefined ? rested : "exhausted",
        consecutive_failures: failures,
        last_error: lastError && shownError(lastError),
        last_success_at: lastSuccessAt,
        cooldown_until: until === undefined ? null : new Date(until).toISOString(),
        token_usage: await budget.used(model.modelId),
        left_out: refusals.leftOut(model),
      };
    },
    refusedTools(model) {
      const of = { model_id: model.modelId || null, model: model.fields.name || model.fields.model };
      const tools = refusals.leftOut(model).filter(({ kind }) => kind === "tool");
      return tools.map(({ name, detail }) => ({ tool: name, ...of, detail }));
    },
    reset(model, tool) {
      const isForgotten = refusals.forget(model, tool);
      return (tool === undefined && health.reset(model.modelId)) || isForgotten;
    },
  };
}

function shownError({ chinese, reason, ...error }: NonNullable<HealthFacts["lastError"]>): LastError {
  const more = { ...(chinese !== undefined && { chinese }), ...(reason !== undefined && { reason }) };
  return { ...error, said: modelFailureSaid({ ...error, ...more }) };
}

function hasLimit({ fields }: ConfiguredModel): boolean {
  return fields.token_limit_daily > 0 || fields.token_limit_weekly > 0;
}

// Whoever repairs an address or a key need not wait for the rest of the one that was wrong.
function known(model: ConfiguredModel): KnownModel {
  const { fields, key, plainKey } = model;
  const { protocol, base_url, append_base_url_path, model: name, api_key_env } = fields;
  const connection = [protocol, base_url, append_base_url_path, name, api_key_env, key?.sealed, plainKey].join("\n");
  return { key: keyOf(model), connection: createHash("sha256").update(connection).digest("base64url") };
}
