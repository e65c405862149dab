import { fixedStatement, type ItemFailure, type Receipt, type Write } from "@parley/core";
import type { Delivery } from "./delivery.ts";
import { CLAIM_PARTITION, toDeliveryPartition } from "./nodes/partitions.ts";
import {
  createStatement,
  getTables,
  type PositionCounter,
  STATE_COUNT_COLUMNS,
  type StoreDeps,
  toCounts,
} from "./statement.ts";
import type { DeliveryState, OutboxTable } from "./tables.ts";

export interface DeliveryChange {
  readonly state: DeliveryState;
  readonly cause?: string;
  /** Error in the platform's words, with secrets masked. */
  readonly reason?: ItemFailure;
  readonly attempts?: number;
  readonly throttles?: number;
  readonly nextMs?: number;
  readonly receipt?: Receipt;
}

export type SentRow = Pick<OutboxTable, "id" | "state" | "cause" | "error" | "error_detail">;

/** Stores deliveries. */
export interface OutboxStore {
  /** Returns the writes that store the deliveries, for a transaction of the caller. */
  createInserts(deliveries: readonly Delivery[]): readonly Write[];
  /** Stores deliveries without a turn, and the writes of `together`, in one transaction. */
  addDeliveries(deliveries: readonly Delivery[], together?: readonly Write[]): Promise<void>;
  /** Returns the state of a delivery; undefined for an unknown id. */
  findDeliveryState(id: string): Promise<DeliveryState | undefined>;
  listDeliveryStates(traceId: string): Promise<readonly DeliveryState[]>;
  /** Returns the trace and the session of a delivery; undefined for an unknown id. */
  findOrigin(id: string): Promise<Pick<OutboxTable, "trace_id" | "session_id"> | undefined>;
  /** Returns the state and error of each delivery of a trace, in order. */
  listSent(traceId: string): Promise<readonly SentRow[]>;
  /** Returns the deliveries whose state is not final, in order. */
  listOpenDeliveries(): Promise<readonly Delivery[]>;
  /**
   * Stores a change with `together` in one transaction, and marks `next`, the following delivery, as in flight. Rejects
   * with `conflict` for a cancelled delivery.
   */
  updateDelivery(id: string, change: DeliveryChange, next?: string, together?: readonly Write[]): Promise<void>;
  countDeliveriesByState(): Promise<Readonly<Partial<Record<DeliveryState, number>>>>;
}

const INSERT = `insert into outbox (id, position, trace_id, channel_id, session_id, conversation_id, state, message, attempts,
  throttles, next_ms, expires_ms, created_ms, updated_ms, stopped_by, answer_id, answer_from)
  values (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_CLUSTERED = `insert into outbox (position, id, trace_id, channel_id, session_id, conversation_id, state, message, attempts,
  throttles, next_ms, expires_ms, created_ms, updated_ms, stopped_by, answer_id, answer_from, home, holder)
  values (nextval('gateway_positions'), ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE = `update outbox set state = ?, updated_ms = ?, cause = coalesce(?, cause), attempts = coalesce(?, attempts),
  throttles = coalesce(?, throttles), next_ms = coalesce(?, next_ms),
  platform_message_id = coalesce(?, platform_message_id), quality = coalesce(?, quality), error = coalesce(?, error),
  error_detail = coalesce(?, error_detail) where id = ? and state != 'cancelled'`;
const SELECT_STATE = "select state from outbox where id = ?";
const SELECT_STATES = "select state from outbox where trace_id = ?";
const SELECT_ORIGIN = "select trace_id, session_id from outbox where id = ?";
const SELECT_SENT = "select id, state, cause, error, error_detail from outbox where trace_id = ? order by position";

export interface OutboxStoreDeps extends StoreDeps {
  readonly position: PositionCounter;
  /** Returns the id of this process; set when several processes share the database. */
  readonly node: (() => string) | undefined;
}

export function createOutboxStore({ main, clock, position, node }: OutboxStoreDeps): OutboxStore {
  const inserts = (deliveries: readonly Delivery[]): readonly Write[] =>
    deliveries.flatMap((delivery) => {
      const [id, ...row] = toRowValues(delivery, clock.now());
      if (!node) return [createStatement(INSERT, [id, position.next(), ...row])];
      const partition = toDeliveryPartition(delivery);
      const holder = delivery.isRemote ? null : node();
      const claim = delivery.isRemote ? [createStatement(CLAIM_PARTITION, [partition, node()])] : [];
      return [...claim, createStatement(INSERT_CLUSTERED, [id, ...row, partition, holder])];
    });
  return {
    createInserts: inserts,
    async addDeliveries(deliveries, together = []) {
      await main().write([...together, ...inserts(deliveries)]);
    },
    async findDeliveryState(id) {
      const [row] = await main().lookup<{ state: DeliveryState }>(fixedStatement(SELECT_STATE, [id]));
      return row?.state;
    },
    async listDeliveryStates(traceId) {
      const rows = await main().lookup<{ state: DeliveryState }>(fixedStatement(SELECT_STATES, [traceId]));
      return rows.map(({ state }) => state);
    },
    async findOrigin(id) {
      const [row] = await main().lookup<Pick<OutboxTable, "trace_id" | "session_id">>(
        fixedStatement(SELECT_ORIGIN, [id]),
      );
      return row;
    },
    listSent: (traceId) => main().lookup<SentRow>(fixedStatement(SELECT_SENT, [traceId])),
    async listOpenDeliveries() {
      const rows = await getTables(main)
        .selectFrom("outbox")
        .selectAll()
        .where("state", "in", ["pending", "sending", "failed", "unknown_after_send"])
        .orderBy("position")
        .execute();
      position.advancePast(rows.at(-1)?.position);
      return rows.map(toDelivery);
    },
    async updateDelivery(id, change, next, together = []) {
      const now = clock.now();
      const sending = next === undefined ? [] : [createUpdate(next, { state: "sending" }, now)];
      await main().write([createUpdate(id, change, now), ...sending, ...together]);
    },
    countDeliveriesByState: async () =>
      toCounts(await getTables(main).selectFrom("outbox").select(STATE_COUNT_COLUMNS).groupBy("state").execute()),
  };
}

function createUpdate(id: string, change: DeliveryChange, now: number): Write {
  const { state, cause, reason, attempts, throttles, nextMs, receipt } = change;
  const receipts = [receipt?.platformMessageId, receipt?.quality];
  const values = [
    cause,
    attempts,
    throttles,
    nextMs,
    ...receipts,
    reason?.error,
    reason?.detail && JSON.stringify(reason),
  ];
  return { query: fixedStatement(UPDATE, [state, now, ...values.map((value) => value ?? null), id]), expect: 1 };
}

function toRowValues(delivery: Delivery, now: number): readonly unknown[] {
  const { id, channelId, conversationId, state, message, nextMs, expiresMs, laterPart } = delivery;
  const { traceId, sessionId } = message;
  const text = JSON.stringify(message);
  const part = laterPart ? [laterPart.stoppedBy, laterPart.answerId, laterPart.from] : [null, null, null];
  return [id, traceId, channelId, sessionId, conversationId, state, text, nextMs, expiresMs, now, now, ...part];
}

/**
 * Returns the localized detail of a delivery error. The stored detail is used only if its message is the stored error,
 * because a node of the previous version changes the error without the detail.
 */
export function getErrorDetail({ error, error_detail: stored }: Pick<OutboxTable, "error" | "error_detail">) {
  const failure = stored === null ? undefined : (JSON.parse(stored) as ItemFailure);
  return failure?.error === error ? failure?.detail : undefined;
}

export function toDelivery(row: OutboxTable): Delivery {
  return {
    id: row.id,
    channelId: row.channel_id,
    conversationId: row.conversation_id,
    message: JSON.parse(row.message),
    state: row.state,
    attempts: row.attempts,
    throttles: row.throttles,
    nextMs: Number(row.next_ms),
    expiresMs: row.expires_ms === null ? null : Number(row.expires_ms),
    createdMs: Number(row.created_ms),
    ...(row.stopped_by !== null && {
      laterPart: { answerId: row.answer_id ?? "", from: row.answer_from ?? 0, stoppedBy: row.stopped_by },
    }),
  };
}
