import { createHistogram, type Histogram, type Measurement, type Metric, toMeasurement } from "@parley/core";

const CALLS_METRIC: Metric = {
  name: "parley_model_calls_total",
  help: "Model calls since the service started.",
  kind: "counter",
  labels: ["model", "result"],
  alerts: [
    {
      name: "ModelCallsFail",
      severity: "warning",
      labels: { result: "failed" },
      growthMinutes: 15,
      above: 5,
      says: "A model failed more than 5 times in 15 minutes.",
      advice: "Console → Models: test the model; check its key, its address and its limits.",
    },
  ],
};
const DURATION_METRIC: Metric = {
  name: "parley_model_seconds",
  help: "Time from the request to a model until the end of its answer.",
  kind: "histogram",
  labels: ["model"],
};
export const CALL_METRICS = [CALLS_METRIC, DURATION_METRIC];

interface CallStats {
  ok: number;
  failed: number;
  readonly times: Histogram;
}

/** Counts and durations of model calls since the start, by model. */
export interface CallMetrics {
  add(model: string, durationMs: number, ok: boolean): void;
  measure(): readonly Measurement[];
}

export function createCallMetrics(): CallMetrics {
  const models = new Map<string, CallStats>();
  return {
    add(model, durationMs, ok) {
      const calls = models.get(model) ?? { ok: 0, failed: 0, times: createHistogram() };
      models.set(model, calls);
      calls[ok ? "ok" : "failed"] += 1;
      calls.times.record(durationMs / 1000);
    },
    measure: () => [
      toMeasurement(
        CALLS_METRIC,
        [...models].flatMap(([model, { ok, failed }]) => [
          { labels: { model, result: "ok" }, value: ok },
          { labels: { model, result: "failed" }, value: failed },
        ]),
      ),
      toMeasurement(
        DURATION_METRIC,
        [...models].flatMap(([model, { times }]) => times.samples({ model })),
      ),
    ],
  };
}
