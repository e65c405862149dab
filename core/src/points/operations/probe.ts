import Joi from "@hapi/joi";
import { rejectAfter } from "../../async/time-limits.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import { type Measurement, type Metric, metricName, metricSchema } from "./metric.ts";

const PROBE_TIMEOUT_MS = 1_500;

/** Status and metrics of one part of the service. Must be cheap: counters, never scans. Calls longer than 1.5 s fail. */
export interface Probe {
  /** Name of the component in health and startup status. */
  readonly id: string;
  health?(): Promise<{ readonly status: "ok" | "degraded" | "down"; readonly detail: string }>;
  /** Metrics that `measure` returns. Undeclared ones appear in no dashboard. */
  readonly metrics?: readonly Metric[];
  measure?(): Promise<readonly Measurement[]>;
  /** Returns the keys of `GET /api/stats` that this plugin contributes. */
  stats?(): Promise<Readonly<Record<string, unknown>>>;
}

const probeShape = validateWith<Probe>(
  Joi.object<Probe>({
    id: wordSchema.required(),
    health: functionSchema,
    metrics: Joi.array().items(metricSchema).unique("name"),
    measure: functionSchema,
    stats: functionSchema,
  }).unknown(),
);
const healthShape = validateWith(
  Joi.object({ status: Joi.valid("ok", "degraded", "down").required(), detail: Joi.string().allow("").required() }),
);
const measuredShape = validateWith(
  Joi.array().items(
    Joi.object({
      name: metricName.required(),
      help: Joi.string().allow("").required(),
      kind: Joi.valid("gauge", "counter", "histogram").required(),
      scope: Joi.valid("node", "installation"),
      samples: Joi.array()
        .items(
          Joi.object({
            part: Joi.valid("bucket", "sum", "count"),
            labels: Joi.object().pattern(Joi.string(), Joi.string()),
            value: Joi.any().required(),
          }),
        )
        .required(),
    }),
  ),
);
const statsShape = validateWith<Readonly<Record<string, unknown>>>(Joi.object().unknown());

/** Sources of health, statistics and `/metrics`. Late or malformed answers count as errors. */
export const Probes: ExtensionPoint<Probe> = extensionPoint("probes", {
  accept(contribution) {
    const probe = probeShape(contribution);
    return {
      id: probe.id,
      ...(probe.health && { health: withTimeout(async () => healthShape(await probe.health?.())) }),
      ...(probe.metrics && { metrics: probe.metrics }),
      ...(probe.measure && { measure: withTimeout(async () => measuredShape(await probe.measure?.())) }),
      ...(probe.stats && { stats: withTimeout(async () => statsShape(await probe.stats?.())) }),
    };
  },
});

/** Adds a timeout; concurrent callers share one pending answer, so a hanging probe is not called again. */
function withTimeout<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined;
  return async () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return rejectAfter(asked, PROBE_TIMEOUT_MS, () => new Error(`did not answer within ${PROBE_TIMEOUT_MS / 1000} s`));
  };
}
