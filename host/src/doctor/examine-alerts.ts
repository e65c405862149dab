import type { MetricAlert } from "@parley/core";
import type { DeclaredMetrics } from "../dashboards/declared-metrics.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const WITHIN_MS = 10_000;

interface Measured {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a running service measures, held against the limits that its plugins declare; what must grow first is left out. */
export async function examineAlerts(
  address: string,
  token: string | undefined,
  groups: readonly DeclaredMetrics[],
): Promise<readonly Finding[]> {
  const answer = await fetch(`http://${address}/metrics`, {
    signal: AbortSignal.timeout(WITHIN_MS),
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  }).catch(() => undefined);
  if (answer?.status === 401) return [ok("limits", "set PARLEY_TOKEN to have what is measured looked at")];
  if (!answer?.ok) return [problem("limits", "what is measured cannot be read", "look into data/logs")];
  const samples = samplesIn(await answer.text());
  let looked = 0;
  const found = groups.flatMap(({ plugin, metrics }) =>
    metrics.flatMap(({ name, alerts = [] }) =>
      alerts.flatMap((alert) => {
        const mine = samples.filter((one) => one.name === name && isMeant(one, alert));
        if (alert.growthMinutes !== undefined || mine.length === 0) return [];
        looked += 1;
        const beyond = mine.filter(({ value }) => isBeyond(value, alert));
        return beyond.length === 0 ? [] : [findingOf(plugin, name, beyond, alert)];
      }),
    ),
  );
  return found.length > 0 ? found : [ok("limits", `${looked} were looked at, all are kept`)];
}

function isMeant({ labels }: Measured, alert: MetricAlert): boolean {
  return Object.entries(alert.labels ?? {}).every(([name, value]) => labels[name] === value);
}

function isBeyond(value: number, { above, below }: MetricAlert): boolean {
  return above === undefined ? value < Number(below) : value > above;
}

function findingOf(plugin: string, name: string, beyond: readonly Measured[], alert: MetricAlert): Finding {
  const shown = beyond.map(({ labels, value }) => {
    const which = Object.values(labels).join(" ");
    return which === "" ? String(value) : `${which}: ${value}`;
  });
  const said = `${alert.says} (${name}: ${shown.join(", ")})`;
  return (alert.severity === "critical" ? problem : warning)(plugin, said, alert.advice);
}

/** Lines of Prometheus's text form. */
function samplesIn(text: string): readonly Measured[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: labelsIn(labels), value: Number(value) }];
  });
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, JSON.parse(`"${value}"`) as string]));
}
