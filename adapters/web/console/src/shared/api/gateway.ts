import { parley, type Shapes } from "./client.ts";

/** A step of a message on its way through the service. */
export type GatewayEvent = Omit<Shapes["GatewayEvent"], "event_type" | "stage" | "action" | "user_id" | "message_id">;
export type QueueStatus = Shapes["QueueStatus"];
export type QueueState = keyof Shapes["QueueCounts"];
export type DeadLetter = Shapes["DeadLetter"];
export type Delivery = Shapes["Delivery"];
/** The outcome of a bulk retry. */
export type RetryResult = Shapes["RetriedItems"];
export interface LetterQuery {
  readonly channel_id?: string;
  readonly cause?: string;
  readonly limit: number;
  readonly offset?: number;
}
/** One minute of the last hour; times in milliseconds, 0 where nothing was timed. */
export type Minute = Shapes["Minute"];
/** A process of this service, or an externally registered node. */
export type WorkNode = Shapes["Node"];
export interface Trace extends Omit<Shapes["Trace"], "timeline"> {
  readonly timeline: readonly TimelineRow[];
}

type TimelineUnion = Shapes["Trace"]["timeline"][number];
type KeyOfUnion<Row> = Row extends object ? keyof Row : never;
type ValueOf<Row, Key extends PropertyKey> = Row extends object
  ? Key extends keyof Row
    ? Exclude<Row[Key], undefined>
    : never
  : never;
/** A trace row of any table. */
export type TimelineRow = Pick<TimelineUnion, "timeline_type" | "created_at" | "status"> & {
  readonly [Key in KeyOfUnion<TimelineUnion>]?: ValueOf<TimelineUnion, Key>;
};

/** An inbox message and its outcome. */
export type TracedMessage = Shapes["TracedMessage"];
export interface MessageQuery {
  readonly q?: string;
  readonly sender?: string;
  readonly channel_id?: string;
  readonly since?: string;
  readonly until?: string;
  readonly unanswered?: boolean;
  readonly cursor?: string;
}

interface EventQuery {
  readonly level?: GatewayEvent["level"];
  readonly status?: "no_sender";
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

export const gateway = {
  getQueue: () => parley.get("/api/gateway/queue/status"),
  listMinutes: () => parley.get("/api/gateway/minutes"),
  listNodes: () => parley.get("/api/gateway/nodes"),
  listEvents: (query: EventQuery) => parley.get("/api/gateway/events", { query }),
  /** Fetches a trace by its id, or by the id of one of its rows. */
  getTrace: (trace_id: string): Promise<Trace> =>
    parley.get("/api/gateway/logs/trace/{trace_id}", { path: { trace_id } }),
  findMessages: (query: MessageQuery) => parley.get("/api/gateway/messages", { query }),
  listDeadLetters: (query: LetterQuery) => parley.get("/api/gateway/dead-letters", { query }),
  /** Failed and expired deliveries of a conversation, newest first. */
  listUndelivered: (session_id: string, limit: number) =>
    parley.get("/api/gateway/deliveries", { query: { session_id, status: "dead,expired", limit } }),
  /** Retries a dead letter; `confirm` accepts that it may arrive twice. */
  retry: (item_id: string, confirm: boolean) =>
    parley.post("/api/gateway/dead-letters/{item_id}/retry", { path: { item_id }, body: { confirm } }),
  retryAll: (item_ids: readonly string[], confirm: boolean) =>
    parley.post("/api/gateway/dead-letters/retry", { body: { item_ids: [...item_ids], confirm } }),
  discardAll: (item_ids: readonly string[], reason: string) =>
    parley.post("/api/gateway/dead-letters/discard", { body: { item_ids: [...item_ids], reason } }),
  discard: (item_id: string, reason: string) =>
    parley.post("/api/gateway/dead-letters/discard", { body: { item_id, reason } }),
  controlWorker: async (action: "start" | "stop"): Promise<unknown> =>
    action === "start" ? parley.post("/api/gateway/worker/start") : parley.post("/api/gateway/worker/stop"),
};
