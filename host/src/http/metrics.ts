import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Logger, Measurement, Probe } from "@parley/core";

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
  const gauge = (name: string, help: string, value: number) => ({
    name,
    help,
    kind: "gauge" as const,
    samples: [{ value }],
  });
  return [
    gauge("process_resident_memory_bytes", "Resident memory.", rss),
    gauge("nodejs_heap_used_bytes", "Heap in use.", heapUsed),
    gauge("process_uptime_seconds", "Time since the process started.", process.uptime()),
    {
      name: "process_cpu_seconds_total",
      help: "Processor time used.",
      kind: "counter",
      samples: [{ value: (user + system) / 1e6 }],
    },
    {
      name: "nodejs_eventloop_delay_seconds",
      help: "Delay of the event loop since the start.",
      kind: "gauge",
      samples: [50, 99, 100].map((share) => ({
        labels: { quantile: String(share / 100) },
        value: delay.percentile(share) / 1e9,
      })),
    },
    gauge("parley_probes_failed", "Probes that could not say anything.", failedProbes),
  ];
}

function linesOf({ name, help, kind, samples }: Measurement): string {
  const head = `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${kind}\n`;
  return head + samples.map(({ labels = {}, value }) => `${name}${labelsOf(labels)} ${value}\n`).join("");
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
