import Joi, { type CustomHelpers } from "@hapi/joi";

/** Alert of a metric, used by dashboards, alert rules and `parley doctor`. */
export interface MetricAlert {
  /** PascalCase, unique over all plugins: `MessagesWait`. */
  readonly name: string;
  readonly severity: "warning" | "critical";
  /** Labels that a sample must have to count. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Quantile of a histogram, such as 0.9, to compare over the last 10 minutes. */
  readonly quantile?: number;
  /** Minutes over which the growth of a counter is compared. Default: the value itself is compared. */
  readonly growthMinutes?: number;
  /** The alert condition holds above this value, in the unit of the metric. */
  readonly above?: number;
  readonly below?: number;
  /** Minutes for which the condition must be true; default: at once. */
  readonly forMinutes?: number;
  /** One sentence that describes the problem. */
  readonly says: string;
  readonly advice: string;
}

/** A metric of a probe, declared before anything runs; dashboards and alert rules are generated from it. */
export interface Metric {
  /** Prometheus form: `parley_inbox_waiting`; units in the name (`_seconds`, `_bytes`), a counter's ends in `_total`. */
  readonly name: string;
  readonly help: string;
  /** Durations are histograms: `createHistogram` counts them. */
  readonly kind: "gauge" | "counter" | "histogram";
  /**
   * Scope of the value. Every node reports an `installation` value alike, so the largest one counts, not the sum.
   * Default: `node`, the value of this process, added up over nodes.
   */
  readonly scope?: "node" | "installation";
  /** Names of the labels that every sample has, without the `le` bounds of a histogram. */
  readonly labels?: readonly string[];
  readonly alerts?: readonly MetricAlert[];
}

/** One value of a metric. */
export interface Sample {
  /** For a histogram: the series of the sample, set by `createHistogram`. */
  readonly part?: "bucket" | "sum" | "count";
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Current samples of a metric. */
export interface Measurement extends Pick<Metric, "name" | "help" | "kind" | "scope"> {
  readonly samples: readonly Sample[];
}

/** Returns the measurement of a metric: its one value, or its samples by label. */
export function toMeasurement({ name, help, kind, scope }: Metric, found: number | readonly Sample[]): Measurement {
  const samples = typeof found === "number" ? [{ value: found }] : found;
  return { name, help, kind, ...(scope && { scope }), samples };
}

/** Returns samples of a metric with one label, by its values. */
export function samplesBy(label: string, values: Iterable<readonly [string, number]>): readonly Sample[] {
  return [...values].map(([key, value]) => ({ labels: { [label]: key }, value }));
}

const labelName = Joi.string().pattern(/^[a-zA-Z_][a-zA-Z0-9_]*$/, "a label");
export const metricName = Joi.string().pattern(/^[a-zA-Z_:][a-zA-Z0-9_:]*$/);
const alertSchema = Joi.object<MetricAlert>({
  name: Joi.string()
    .pattern(/^[A-Z][A-Za-z0-9]+$/, "a name in PascalCase")
    .required(),
  severity: Joi.valid("warning", "critical").required(),
  labels: Joi.object().pattern(labelName, Joi.string()),
  quantile: Joi.number().greater(0).less(1),
  growthMinutes: Joi.number().integer().min(1),
  above: Joi.number(),
  below: Joi.number(),
  forMinutes: Joi.number().integer().min(0),
  says: Joi.string().required(),
  advice: Joi.string().required(),
})
  .xor("above", "below")
  .oxor("quantile", "growthMinutes");
export const metricSchema = Joi.object<Metric>({
  name: metricName.required(),
  help: Joi.string().allow("").required(),
  kind: Joi.valid("gauge", "counter", "histogram").required(),
  scope: Joi.valid("node", "installation"),
  labels: Joi.array().items(labelName).unique(),
  alerts: Joi.array().items(alertSchema),
}).custom((metric: Metric, { message }: CustomHelpers) => {
  const isHistogram = metric.kind === "histogram";
  const isWrong = metric.alerts?.some(({ quantile }) => (quantile !== undefined) !== isHistogram);
  return isWrong ? message({ custom: "an alert of a histogram, and no other, has a quantile" }) : metric;
});
