import { monitorEventLoopDelay } from "node:perf_hooks";
import {
  type Logger,
  type Measurement,
  type Metric,
  type Probe,
  type Sample,
  samplesBy,
  toMeasurement,
} from "@parley/core";
import { getBlockedSeconds } from "../diagnostics/event-loop-lag.ts";

const RESIDENT: Metric = { name: "process_resident_memory_bytes", help: "Resident memory.", kind: "gauge" };
const HEAP: Metric = { name: "nodejs_heap_used_bytes", help: "Heap in use.", kind: "gauge" };
const UPTIME: Metric = { name: "process_uptime_seconds", help: "Time since the process started.", kind: "gauge" };
const CPU: Metric = { name: "process_cpu_seconds_total", help: "Processor time used.", kind: "counter" };
const LOOP_DELAY: Metric = {
  name: "nodejs_eventloop_delay_seconds",
  help: "Delay of the event loop since the start.",
  kind: "gauge",
  labels: ["quantile"],
};
const BLOCKED_LOOP: Metric = {
  name: "parley_standstill_seconds_total",
  help: "Time in which nothing could run for more than a second.",
  kind: "counter",
  alerts: [
    {
      name: "ServiceStandsStill",
      severity: "warning",
      growthMinutes: 10,
      above: 5,
      says: "The service stood still for more than 5 seconds of the last 10 minutes: nothing was answered.",
      advice: "Look at the log, and whether the machine has enough processor time and memory.",
    },
  ],
};
const PROBES_FAILED: Metric = {
  name: "parley_probes_failed",
  help: "Probes that could not say anything.",
  kind: "gauge",
  alerts: [
    {
      name: "ProbesFail",
      severity: "warning",
      above: 0,
      forMinutes: 5,
      says: "A part of the service cannot say how it is.",
      advice: "Look at the log: the part is named there.",
    },
  ],
};

export const HOST_METRICS: readonly Metric[] = [RESIDENT, HEAP, UPTIME, CPU, LOOP_DELAY, BLOCKED_LOOP, PROBES_FAILED];

/** Hint in the help text, for readers of the metrics who lack the declarations. */
const SCOPE_HINT = "Of the installation: every node reports the same value, so use max, not sum.";

const loopDelay = monitorEventLoopDelay({ resolution: 20 });
loopDelay.enable();

/** Creates the renderer of all metrics in Prometheus's text format. A failing probe is counted, logged once and omitted. */
export function createMetrics(log: Logger): (probes: readonly Probe[]) => Promise<string> {
  const failingProbes = new Set<string>();
  const measured = async ({ id, measure }: Probe): Promise<readonly Measurement[] | undefined> => {
    try {
      const found = (await measure?.()) ?? [];
      failingProbes.delete(id);
      return found;
    } catch (error) {
      if (!failingProbes.has(id)) log.warn("a health probe failed", { probe: id, error });
      failingProbes.add(id);
      return undefined;
    }
  };
  return async (probes) => {
    const asked = await Promise.all(probes.map(measured));
    const failed = asked.filter((found) => found === undefined).length;
    return [...measureProcess(failed), ...asked.flatMap((found) => found ?? [])].map(formatMeasurement).join("");
  };
}

function measureProcess(failedProbes: number): readonly Measurement[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const delays = [50, 99, 100].map((share) => [String(share / 100), loopDelay.percentile(share) / 1e9] as const);
  return [
    toMeasurement(RESIDENT, rss),
    toMeasurement(HEAP, heapUsed),
    toMeasurement(UPTIME, process.uptime()),
    toMeasurement(CPU, (user + system) / 1e6),
    toMeasurement(LOOP_DELAY, samplesBy("quantile", delays)),
    toMeasurement(BLOCKED_LOOP, getBlockedSeconds()),
    toMeasurement(PROBES_FAILED, failedProbes),
  ];
}

function formatMeasurement({ name, help, kind, scope, samples }: Measurement): string {
  const helpText = scope === "installation" ? `${help} ${SCOPE_HINT}` : help;
  const head = `# HELP ${name} ${helpText.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${kind}\n`;
  const series = ({ part, labels = {} }: Sample) => `${name}${part ? `_${part}` : ""}${formatLabels(labels)}`;
  return head + samples.map((sample) => `${series(sample)} ${sample.value}\n`).join("");
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
