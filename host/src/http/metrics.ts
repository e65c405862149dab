import { monitorEventLoopDelay } from "node:perf_hooks";
import { type Logger, type Measurement, type Metric, measured, type Probe, type Sample, samplesBy } from "@parley/core";
import { standstillSeconds } from "../loop-watch.ts";

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
const STANDSTILL: Metric = {
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

/** What is measured of the process, whatever runs in it. */
export const HOST_METRICS: readonly Metric[] = [RESIDENT, HEAP, UPTIME, CPU, LOOP_DELAY, STANDSTILL, PROBES_FAILED];

/** For those who read it without the declaration. */
const OF_ALL = "Of the installation: each of several nodes tells the same, so take max, not sum.";

const delay = monitorEventLoopDelay({ resolution: 20 });
delay.enable();

/** All measurements in Prometheus's text form; a probe that fails is counted, named once and leaves its lines out. */
export function createMetrics(log: Logger): (probes: readonly Probe[]) => Promise<string> {
  const silent = new Set<string>();
  const measured = async ({ id, measure }: Probe): Promise<readonly Measurement[] | undefined> => {
    try {
      const found = (await measure?.()) ?? [];
      silent.delete(id);
      return found;
    } catch (error) {
      if (!silent.has(id)) log.warn("a probe could not say anything", { probe: id, error });
      silent.add(id);
      return undefined;
    }
  };
  return async (probes) => {
    const asked = await Promise.all(probes.map(measured));
    const failed = asked.filter((found) => found === undefined).length;
    return [...processMeasurements(failed), ...asked.flatMap((found) => found ?? [])].map(linesOf).join("");
  };
}

function processMeasurements(failedProbes: number): readonly Measurement[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const delays = [50, 99, 100].map((share) => [String(share / 100), delay.percentile(share) / 1e9] as const);
  return [
    measured(RESIDENT, rss),
    measured(HEAP, heapUsed),
    measured(UPTIME, process.uptime()),
    measured(CPU, (user + system) / 1e6),
    measured(LOOP_DELAY, samplesBy("quantile", delays)),
    measured(STANDSTILL, standstillSeconds()),
    measured(PROBES_FAILED, failedProbes),
  ];
}

function linesOf({ name, help, kind, scope, samples }: Measurement): string {
  const told = scope === "installation" ? `${help} ${OF_ALL}` : help;
  const head = `# HELP ${name} ${told.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${kind}\n`;
  const series = ({ part, labels = {} }: Sample) => `${name}${part ? `_${part}` : ""}${labelsOf(labels)}`;
  return head + samples.map((sample) => `${series(sample)} ${sample.value}\n`).join("");
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
