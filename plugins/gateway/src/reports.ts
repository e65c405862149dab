import { basename } from "node:path";
import type { Clock, Probe } from "@parley/core";
import type { EventLog } from "./event-log.ts";
import type { RunningGateway } from "./gateway.ts";
import { queueCounts } from "./history-records.ts";
import type { StateCounters } from "./state-counters.ts";
import type { HistoryStore } from "./store/history.ts";

type Health = "ok" | "degraded" | "down";
type Component = { readonly status: Health; readonly detail: string };

/** Health answers within a second, whatever hangs. */
const HEALTH_MS = 800;
/** The parts of the service that the gateway's health names. */
const COMPONENTS = ["storage", "worker", "queue", "filter", "channels", "models"] as const;
const OLD_MS = 60_000;

export interface Reports {
  health(): Promise<{
    readonly status: Health;
    readonly service: string;
    readonly version: string;
    readonly time: string;
    readonly components: Readonly<Record<string, Component>>;
  }>;
  stats(): Promise<object>;
  queue(): Promise<object & { readonly status_breakdown: ReturnType<typeof queueCounts> }>;
}

export interface ReportsParts {
  readonly gateway: () => RunningGateway;
  readonly store: Pick<HistoryStore, "size">;
  readonly counters: StateCounters;
  readonly recount: () => Promise<void>;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly probes: () => readonly Probe[];
  readonly file: () => string;
  readonly isKept: boolean;
  readonly version: () => string;
}

/** What an operator asks first: is it well, how much waits, what came of it. */
export function createReports(parts: ReportsParts): Reports {
  const startedAt = new Date(parts.clock.now()).toISOString();
  return {
    health: () => healthOf(parts),
    async stats() {
      const { counters, log, file, isKept } = parts;
      await parts.recount();
      const { duplicates, worker, turns, errors, running, rateLimited } = parts.gateway().counts();
      const deliveries = counters.deliveries.counts();
      return {
        mode: "embedded",
        storage: { enabled: isKept, path_name: basename(file()), size_bytes: await parts.store.size() },
        events: { count: log.written(), dropped: log.dropped() },
        deliveries: { count: sum(Object.values(deliveries)), by_status: deliveries },
        dedupe: { count: duplicates },
        queue: queueCounts(counters.items.counts()),
        worker: { state: worker, processed: turns, errors, active: running },
        rate_limited: rateLimited,
        dropped: Object.fromEntries(counters.dropped()),
        filter: await filterStats(parts.probes()),
        started_at: startedAt,
      };
    },
    async queue() {
      await parts.recount();
      return queueOf(parts);
    },
  };
}

async function healthOf(parts: ReportsParts): ReturnType<Reports["health"]> {
  const counted = parts.recount();
  const asked = await Promise.all(
    parts
      .probes()
      .filter(({ id, health }) => health && (COMPONENTS as readonly string[]).includes(id))
      .map(async (probe) => [probe.id, await answered(probe)] as const),
  );
  await counted;
  const known = { ...Object.fromEntries(asked), ...ownComponents(parts) };
  const components: Readonly<Record<string, Component>> = Object.fromEntries(
    COMPONENTS.map((name) => [name, known[name] ?? { status: "ok", detail: "" }]),
  );
  const states = Object.values(components).map(({ status }) => status);
  const status = states.includes("down") ? "down" : states.includes("degraded") ? "degraded" : "ok";
  const time = new Date(parts.clock.now()).toISOString();
  return { status, service: "parley", version: parts.version(), time, components };
}

function ownComponents(parts: ReportsParts): Readonly<Record<string, Component>> {
  const { counters } = parts;
  const { trouble, worker, waiting, oldestAgeMs = 0 } = parts.gateway().counts();
  const isLate = oldestAgeMs > OLD_MS;
  const dead = (counters.items.counts().dead ?? 0) + (counters.deliveries.counts().dead ?? 0);
  return {
    // Without trouble of its own the storage speaks for itself.
    ...(trouble !== undefined && { storage: { status: "degraded", detail: trouble } }),
    worker:
      worker === "running" ? { status: "ok", detail: "running" } : { status: "degraded", detail: "stopped by hand" },
    queue: {
      status: isLate ? "degraded" : "ok",
      detail: `${waiting} waiting, ${dead} given up${isLate ? `, the oldest since ${oldestIn(parts)}` : ""}`,
    },
  };
}

function queueOf(parts: ReportsParts) {
  const items = queueCounts(parts.counters.items.counts());
  return {
    queue_size: items.pending + items.processing,
    status_breakdown: items,
    total_enqueued: sum(Object.values(items)),
    total_completed: items.completed,
    total_failed: items.failed,
    total_dead: items.dead,
    oldest_pending_at: oldestIn(parts),
    worker_state: parts.gateway().counts().worker,
  };
}

/** Since when the oldest message waits. */
function oldestIn({ gateway, clock }: ReportsParts): string | null {
  const { oldestAgeMs } = gateway().counts();
  return oldestAgeMs === undefined ? null : new Date(clock.now() - oldestAgeMs).toISOString();
}

async function answered(probe: Probe): Promise<Component> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Component>((resolve) => {
    timer = setTimeout(() => resolve({ status: "degraded", detail: "does not answer" }), HEALTH_MS);
  });
  try {
    return await Promise.race([probe.health?.() ?? late, late]);
  } catch (error) {
    return { status: "degraded", detail: (error as Error).message };
  } finally {
    clearTimeout(timer);
  }
}

async function filterStats(probes: readonly Probe[]): Promise<unknown> {
  const measured = (await probes.find(({ id }) => id === "filter")?.measure?.()) ?? [];
  const value = (name: string) => measured.find((one) => one.name === name)?.samples[0]?.value ?? 0;
  return { rules: value("parley_filter_rules"), skipped_timeouts: value("parley_filter_regex_timeouts_total") };
}

function sum(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
