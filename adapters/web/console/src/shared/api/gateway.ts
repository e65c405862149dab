import { api, type Listed, query } from "./client.ts";

/** A step of a message on its way through the service. */
export interface GatewayEvent {
  readonly id: string;
  readonly trace_id: string;
  readonly status: string;
  readonly level: string;
  readonly channel_id: string | null;
  readonly conversation_id: string | null;
  readonly error: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

export type QueueState = "pending" | "processing" | "completed" | "failed" | "dead";
export interface QueueStatus {
  readonly status_breakdown: Readonly<Record<QueueState, number>>;
  readonly oldest_pending_at: string | null;
  readonly worker_state: string;
}

/** A row of a trace, of whatever table. */
export interface TimelineRow extends Partial<GatewayEvent> {
  readonly timeline_type: "event" | "log" | "delivery" | "queue_item";
  readonly created_at: string;
  /** Of a delivery or a queue item, whose state is the one of now. */
  readonly updated_at?: string;
  readonly status: string;
  readonly message?: string;
  /** Of a delivery. */
  readonly part?: number;
  readonly parts?: number;
  readonly content?: string;
  readonly attempts?: number;
  /** Of a queue item. */
  readonly item_id?: string;
  readonly attempt?: number;
}

export interface Trace {
  readonly trace_id: string;
  readonly timeline: readonly TimelineRow[];
  readonly diagnostics: { readonly reason: string; readonly possible_causes: readonly string[] } | null;
}

/** Something that was given up and waits for a person. */
export interface DeadLetter {
  readonly item_id: string;
  readonly kind: "inbound" | "delivery";
  readonly channel_id: string;
  readonly conversation_id: string;
  readonly trace_id: string;
  readonly cause: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly last_at: string;
  readonly preview: string;
  readonly suggested_action: "retry" | "fix_config" | "review_duplicate" | "none";
}

/** One minute of the last hour; times in milliseconds, 0 where nothing was timed. */
export interface Minute {
  readonly at: string;
  readonly messages_in: number;
  readonly turns: number;
  readonly answers_out: number;
  readonly given_up: number;
  readonly ack_p99_ms: number;
  readonly turn_p50_ms: number;
  readonly turn_p99_ms: number;
}

/** A process that works here, or that somebody registered. */
export interface WorkNode {
  readonly node_id: string;
  readonly node_type: string;
  readonly status: "online" | "busy" | "idle" | "offline" | "draining";
  readonly version: string;
  readonly current_load: number;
  readonly last_heartbeat: string;
}

interface EventQuery {
  readonly status?: string;
  readonly level?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

const path = "/api/gateway";

export const gateway = {
  queue: () => api.get<QueueStatus>(`${path}/queue/status`),
  minutes: () => api.get<{ readonly items: readonly Minute[] }>(`${path}/minutes`),
  nodes: () => api.get<Listed<WorkNode>>(`${path}/nodes`),
  events: (asked: EventQuery) => api.get<Listed<GatewayEvent>>(`${path}/events?${query({ ...asked })}`),
  /** Takes the id of a trace, or of any of its rows. */
  trace: (id: string) => api.get<Trace>(`${path}/logs/trace/${encodeURIComponent(id)}`),
  deadLetters: (limit: number) => api.get<Listed<DeadLetter>>(`${path}/dead-letters?${query({ limit })}`),
  /** `confirm`: although it may arrive twice. */
  retry: (itemId: string, confirm: boolean) => api.post(`${path}/dead-letters/${itemId}/retry`, { confirm }),
  putAside: (itemId: string, reason: string) => api.post(`${path}/dead-letters/discard`, { item_id: itemId, reason }),
  work: (what: "start" | "stop") => api.post(`${path}/worker/${what}`),
};
