import {
  addUsageSums,
  type Clock,
  type Metric,
  type Models,
  NO_USAGE_SUM,
  type Probe,
  samplesBy,
  type TokenUsage,
  toMeasurement,
} from "@parley/core";
import { CALL_METRICS, type CallMetrics } from "./call-metrics.ts";

const DAY_MS = 86_400_000;
const TOKENS_METRIC: Metric = {
  name: "parley_model_tokens_last_day",
  help: "Tokens of chat calls in the last 24 hours.",
  kind: "gauge",
  scope: "installation",
  labels: ["direction"],
};

export interface ModelsProbeDeps {
  readonly models: Pick<Models, "choose">;
  /** Returns true when the active chat model answers now. */
  readonly isChatAvailable: () => Promise<boolean>;
  readonly usage: Pick<TokenUsage, "sums">;
  readonly times: CallMetrics;
  readonly clock: Clock;
}

/** Creates the probe: whether a chat model is available, and the tokens that chat used in the last 24 hours. */
export function createModelsProbe({ models, isChatAvailable, usage, times, clock }: ModelsProbeDeps): Probe {
  const lastDay = async () => {
    const iso = (ms: number) => new Date(ms).toISOString();
    const sums = await usage.sums("purpose", iso(clock.now() - DAY_MS), iso(clock.now() + 1));
    const chat = sums.find(({ key }) => key === "chat");
    return { tokens: addUsageSums(NO_USAGE_SUM, chat ?? NO_USAGE_SUM), average_ms: chat?.average_ms ?? 0 };
  };
  const source = async () => (await models.choose("chat")).source;
  return {
    id: "models",
    metrics: [...CALL_METRICS, TOKENS_METRIC],
    async health() {
      const isSetUp = (await source()) !== "offline";
      return {
        status: "ok",
        detail: isSetUp ? "a chat model is set up" : "no chat model is set up: the offline companion answers",
      };
    },
    async stats() {
      const { tokens, average_ms } = await lastDay();
      return {
        ai_service_status:
          (await source()) === "offline" ? "not_configured" : (await isChatAvailable()) ? "normal" : "degraded",
        token_usage: tokens,
        ai_calls: tokens.requests,
        avg_response_time_ms: average_ms,
      };
    },
    async measure() {
      const { tokens } = await lastDay();
      const directions = [["input", tokens.input_tokens] as const, ["output", tokens.output_tokens] as const];
      return [...times.measure(), toMeasurement(TOKENS_METRIC, samplesBy("direction", directions))];
    },
  };
}
