import type { Metric, MetricAlert } from "@parley/core";
import type { DeclaredMetrics } from "./declared-metrics.ts";

/** Minutes over which rates for quantiles are computed. */
const RATE_MINUTES = 10;

/** Creates Prometheus rules as YAML, with a group for each plugin. */
export function createAlertRules(groups: readonly DeclaredMetrics[]): string {
  const written = groups.flatMap(({ plugin, metrics }) => {
    const rules = metrics.flatMap((metric) => (metric.alerts ?? []).map((alert) => formatRule(metric, alert)));
    return rules.length === 0 ? [] : [`  - name: ${quoteYaml(`parley-${plugin}`)}\n    rules:\n${rules.join("")}`];
  });
  return `# Made by \`parley dashboards\` of what the plugins declare.\ngroups:\n${written.join("")}`;
}

function formatRule(metric: Metric, alert: MetricAlert): string {
  const { name, severity, forMinutes = 0, says, advice } = alert;
  return [
    `      - alert: ${quoteYaml(`Parley${name}`)}`,
    `        expr: ${quoteYaml(toAlertExpression(metric, alert))}`,
    `        for: ${forMinutes}m`,
    "        labels:",
    `          severity: ${severity}`,
    "        annotations:",
    `          summary: ${quoteYaml(says)}`,
    `          description: ${quoteYaml(advice)}`,
    "",
  ].join("\n");
}

/** Returns the expression of a histogram's quantile, by its labels and by instance. */
export function toQuantileExpression(quantile: number, labels: readonly string[], rates: string): string {
  return `histogram_quantile(${quantile}, sum by (${["le", ...labels, "instance"].join(", ")}) (${rates}))`;
}

/** Wraps an installation-wide series so that equal values of several nodes count once. */
export function aggregateByScope({ scope }: Pick<Metric, "scope">, series: string): string {
  return scope === "installation" ? `max without (instance, pod) (${series})` : series;
}

/** Returns the condition of an alert in PromQL. */
export function toAlertExpression(metric: Pick<Metric, "name" | "labels" | "scope">, alert: MetricAlert): string {
  const { name, labels: own = [] } = metric;
  const { labels = {}, quantile, growthMinutes, above } = alert;
  const chosen = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  const withLabels = (named: string) => (chosen.length === 0 ? named : `${named}{${chosen.join(",")}}`);
  const series = withLabels(name);
  const bound = above === undefined ? `< ${alert.below}` : `> ${above}`;
  if (quantile !== undefined) {
    const rates = `rate(${withLabels(`${name}_bucket`)}[${RATE_MINUTES}m])`;
    return `${toQuantileExpression(quantile, own, rates)} ${bound}`;
  }
  if (growthMinutes === undefined) return `${aggregateByScope(metric, series)} ${bound}`;
  // For Prometheus, a new counter has not grown; its value is its growth.
  const fresh = `(${series} unless ${series} offset ${growthMinutes}m)`;
  return `increase(${series}[${growthMinutes}m]) ${bound} or ${fresh} ${bound}`;
}

/** Quotes a string, without escapes where possible. */
function quoteYaml(text: string): string {
  return text.includes('"') ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
}
