import { basename } from "node:path";
import type { Clock, Probe } from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import type { RunningGateway } from "../gateway.ts";
import type { HistoryStore } from "../store/history/history.ts";
import type { EventLog } from "./event-log.ts";
import { toQueueCounts } from "./history-records.ts";
import type { StateCounters } from "./metrics/state-counters.ts";

type Health = "ok" | "degraded" | "down";
type Component = { readonly status: Health; readonly detail: string };

/** Timeout of a health check, so that the response takes less than a second. */
const HEALTH_TIMEOUT_MS = 800;
/** Names of the components in the gateway's health report. */
const COMPONENTS = ["storage", "worker", "queue", "filter", "channels", "models"] as const;
const BACKLOG_LATE_MS = 60_000;

export interface Reports {
  health(): Promise<{
    readonly status: Health;
    readonly service: string;
    readonly version: string;
    readonly time: string;
    readonly components: Readonly<Record<string, Component>>;
  }>;
  stats(): Promise<object>;
  queue(): Promise<object & { readonly status_breakdown: ReturnType<typeof toQueueCounts> }>;
}

export interface ReportsDeps {
  readonly gateway: () => RunningGateway;
  readonly store: Pick<HistoryStore, "size">;
  readonly counters: StateCounters;
  readonly rebuildCounters: () => Promise<void>;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly probes: () => readonly Probe[];
  readonly historyFile: () => string;
  readonly isHistoryEnabled: boolean;
  readonly version: () => string;
}

/** Creates reports for operators: health, waiting messages and results. */
export function createReports(deps: ReportsDeps): Reports {
  const startedAt = new Date(deps.clock.now()).toISOString();
  return {
    health: () => collectHealth(deps),
    async stats() {
      const { counters, log, historyFile, isHistoryEnabled } = deps;
      await deps.rebuildCounters();
      const { duplicates, worker, turns, errors, running, rateLimited } = deps.gateway().counts();
      const deliveries = counters.deliveries.counts();
      return {
        mode: "embedded",
        storage: { enabled: isHistoryEnabled, path_name: basename(historyFile()), size_bytes: await deps.store.size() },
        events: { count: log.getWrittenCount(), dropped: log.getDroppedCount() },
        deliveries: { count: sum(Object.values(deliveries)), by_status: deliveries },
        dedupe: { count: duplicates },
        queue: toQueueCounts(counters.items.counts()),
        worker: { state: worker, processed: turns, errors, active: running },
        rate_limited: rateLimited,
        dropped: Object.fromEntries(counters.dropped()),
        filter: await readFilterStats(deps.probes()),
        started_at: startedAt,
      };
    },
    async queue() {
      await deps.rebuildCounters();
      return toQueueStatus(deps);
    },
  };
}

async function collectHealth(deps: ReportsDeps): ReturnType<Reports["health"]> {
  const rebuilt = deps.rebuildCounters();
  const probed = await Promise.all(
    deps
      .probes()
      .filter(({ id, health }) => health && (COMPONENTS as readonly string[]).includes(id))
      .map(async (probe) => [probe.id, await checkHealth(probe)] as const),
  );
  await rebuilt;
  const known = { ...Object.fromEntries(probed), ...getOwnComponents(deps) };
  const components: Readonly<Record<string, Component>> = Object.fromEntries(
    COMPONENTS.map((name) => [name, known[name] ?? { status: "ok", detail: "" }]),
  );
  const states = Object.values(components).map(({ status }) => status);
  const status = states.includes("down") ? "down" : states.includes("degraded") ? "degraded" : "ok";
  const time = new Date(deps.clock.now()).toISOString();
  return { status, service: "parley", version: deps.version(), time, components };
}

function getOwnComponents(deps: ReportsDeps): Readonly<Record<string, Component>> {
  const { counters } = deps;
  const { storageError, worker, waiting, oldestAgeMs = 0 } = deps.gateway().counts();
  const isLate = oldestAgeMs > BACKLOG_LATE_MS;
  const dead = (counters.items.counts().dead ?? 0) + (counters.deliveries.counts().dead ?? 0);
  return {
    // A storage error of the gateway overrides the storage's own health; nothing else does.
    ...(storageError !== undefined && { storage: { status: "degraded", detail: storageError } }),
    worker:
      worker === "running" ? { status: "ok", detail: "running" } : { status: "degraded", detail: "stopped by hand" },
    queue: {
      status: isLate ? "degraded" : "ok",
      detail: `${waiting} waiting, ${dead} dead-lettered${isLate ? `, the oldest since ${getOldestAt(deps)}` : ""}`,
    },
  };
}

function toQueueStatus(deps: ReportsDeps) {
  const items = toQueueCounts(deps.counters.items.counts());
  return {
    queue_size: items.pending + items.processing,
    status_breakdown: items,
    total_enqueued: sum(Object.values(items)),
    total_completed: items.completed,
    total_failed: items.failed,
    total_dead: items.dead,
    oldest_pending_at: getOldestAt(deps),
    worker_state: deps.gateway().counts().worker,
  };
}

/** Returns the time since which the oldest message has been waiting; null when none waits. */
function getOldestAt({ gateway, clock }: ReportsDeps): string | null {
  const { oldestAgeMs } = gateway().counts();
  return oldestAgeMs === undefined ? null : new Date(clock.now() - oldestAgeMs).toISOString();
}

async function checkHealth(probe: Probe): Promise<Component> {
  const late: Component = { status: "degraded", detail: "does not answer" };
  try {
    return probe.health ? await resolveWithin(probe.health(), HEALTH_TIMEOUT_MS, late) : late;
  } catch (error) {
    return { status: "degraded", detail: (error as Error).message };
  }
}

async function readFilterStats(probes: readonly Probe[]): Promise<unknown> {
  const measured = (await probes.find(({ id }) => id === "filter")?.measure?.()) ?? [];
  const value = (name: string) => measured.find((one) => one.name === name)?.samples[0]?.value ?? 0;
  return { rules: value("parley_filter_rules"), skipped_timeouts: value("parley_filter_regex_timeouts_total") };
}

function sum(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
