import type { Channels, Clock } from "@parley/core";
import type { RunningGateway } from "./gateway.ts";
import type { History, TraceHistory } from "./mcp-tools-history.ts";

/** The gateway in figures. */
export interface GatewayReports {
  status(): Promise<object>;
  stats(): Promise<object>;
  queue(): Promise<object>;
  trace(traceId: string): Promise<object>;
}

export interface GatewayReportsParts {
  readonly gateway: () => Pick<RunningGateway, "counts">;
  readonly history: History;
  readonly channels: () => Channels | undefined;
  readonly clock: Clock;
  readonly startedMs: number;
  readonly isKept: boolean;
}

export function createReports(parts: GatewayReportsParts): GatewayReports {
  const { gateway, history, channels, clock, startedMs, isKept } = parts;
  return {
    async status() {
      const { queue } = await history.counts();
      const list = channels()?.list() ?? [];
      return {
        mode: "embedded",
        storage: "sqlite",
        log_service: { enabled: isKept },
        worker_running: true,
        uptime_s: Math.floor((clock.now() - startedMs) / 1000),
        channels: list.map(({ id, type, enabled }) => ({ id, type, enabled, state: channels()?.status(id).state })),
        queue: { pending: queue.pending, processing: queue.processing, dead: queue.dead },
      };
    },
    async stats() {
      const { queue, deliveries, events, dedupe, bytes } = await history.counts();
      const { turns, running } = gateway().counts();
      return {
        mode: "embedded",
        storage: { enabled: isKept, path_name: "gateway.db", size_bytes: bytes },
        events: { count: events },
        deliveries: { count: sum(Object.values(deliveries)), by_status: deliveries },
        dedupe: { count: dedupe },
        queue,
        worker: { state: "running", processed: turns, errors: queue.failed + queue.dead, active: running },
        started_at: new Date(startedMs).toISOString(),
      };
    },
    async queue() {
      const { queue, oldestPendingMs } = await history.counts();
      return {
        queue_size: queue.pending,
        status_breakdown: queue,
        total_enqueued: sum(Object.values(queue)),
        total_completed: queue.completed,
        total_failed: queue.failed,
        total_dead: queue.dead,
        oldest_pending_at: oldestPendingMs === null ? null : new Date(oldestPendingMs).toISOString(),
        worker_state: "running",
      };
    },
    trace: async (traceId) => traceReport(traceId, await history.trace(traceId)),
  };
}

/** The lists of a trace, how much of each there is, and all of it in order. */
export function traceReport(traceId: string, found: TraceHistory) {
  const { events, deliveries, queue_items, mcp_logs } = found;
  const timeline = [
    ...events.map((event) => ({ timeline_type: "event", ...event })),
    ...deliveries.map((delivery) => ({ timeline_type: "delivery", ...delivery })),
    ...queue_items.map((item) => ({ timeline_type: "queue_item", ...item })),
    ...mcp_logs.map((log) => ({ timeline_type: "log", ...log })),
  ].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  const has_content = timeline.length > 0;
  return {
    trace_id: traceId,
    summary: {
      events_count: events.length,
      deliveries_count: deliveries.length,
      queue_items_count: queue_items.length,
      mcp_logs_count: mcp_logs.length,
      has_content,
    },
    ...found,
    timeline,
    diagnostics: has_content ? null : NOTHING,
  };
}

const NOTHING = {
  reason: "nothing is recorded under this id",
  possible_causes: ["the id is of another kind", "the rows are older than 30 days", "the id is mistyped"],
  next_step: "ask gateway_lookup_id what the id is",
};

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
