import type { Metric, MetricAlert } from "@parley/core";
import type { DeclaredMetrics } from "./declared-metrics.ts";

/** Rules for Prometheus, as YAML: a group for each plugin. */
export function alertRulesOf(groups: readonly DeclaredMetrics[]): string {
  const written = groups.flatMap(({ plugin, metrics }) => {
    const rules = metrics.flatMap((metric) => (metric.alerts ?? []).map((alert) => ruleOf(metric, alert)));
    return rules.length === 0 ? [] : [`  - name: ${quoted(`parley-${plugin}`)}\n    rules:\n${rules.join("")}`];
  });
  return `# Made by \`parley dashboards\` of what the plugins declare.\ngroups:\n${written.join("")}`;
}

function ruleOf(metric: Metric, alert: MetricAlert): string {
  const { name, severity, forMinutes = 0, says, advice } = alert;
  return [
    `      - alert: ${quoted(`Parley${name}`)}`,
    `        expr: ${quoted(expressionOf(metric, alert))}`,
    `        for: ${forMinutes}m`,
    "        labels:",
    `          severity: ${severity}`,
    "        annotations:",
    `          summary: ${quoted(says)}`,
    `          description: ${quoted(advice)}`,
    "",
  ].join("\n");
}

/** When it is true, in PromQL. */
export function expressionOf({ name }: Pick<Metric, "name">, alert: MetricAlert): string {
  const { labels = {}, growthMinutes, above } = alert;
  const chosen = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  const series = chosen.length === 0 ? name : `${name}{${chosen.join(",")}}`;
  const bound = above === undefined ? `< ${alert.below}` : `> ${above}`;
  if (growthMinutes === undefined) return `${series} ${bound}`;
  // A counter that was not there before has not grown, by the word of Prometheus: then its value is its growth.
  const fresh = `(${series} unless ${series} offset ${growthMinutes}m)`;
  return `increase(${series}[${growthMinutes}m]) ${bound} or ${fresh} ${bound}`;
}

/** Without escapes, where that is possible. */
function quoted(text: string): string {
  return text.includes('"') ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
}
