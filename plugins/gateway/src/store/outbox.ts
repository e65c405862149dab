import {
  deliveryDetail,
  fixedStatement,
  type ItemFailure,
  type OutboundMessage,
  type Receipt,
  type Write,
} from "@parley/core";
import type { DeliveryState, OutboxTable } from "../tables.ts";
import { CLAIM_HOME, homeOfDelivery } from "./homes.ts";
import { countsOf, type Positions, STATE_COUNT, type StoreParts, statement, tablesOf } from "./statement.ts";

export interface Delivery {
  readonly id: string;
  readonly channelId: string;
  readonly conversationId: string;
  readonly message: OutboundMessage;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly throttles: number;
  readonly nextMs: number;
  readonly expiresMs: number | null;
  readonly createdMs: number;
  /** True: another node sends it, or nobody knows yet which. */
  readonly isElsewhere?: boolean;
}

export interface DeliveryChange {
  readonly state: DeliveryState;
  readonly cause?: string;
  /** What went wrong, in the platform's words; masked. */
  readonly said?: ItemFailure;
  readonly attempts?: number;
  readonly throttles?: number;
  readonly nextMs?: number;
  readonly receipt?: Receipt;
}

/** Calls to platforms. */
export interface OutboxStore {
  /** Statements that store deliveries, for the transaction of what made them. */
  inserts(deliveries: readonly Delivery[]): readonly Write[];
  /** Deliveries that no turn made, and what is stored with them or not at all. */
  addDeliveries(deliveries: readonly Delivery[], together?: readonly Write[]): Promise<void>;
  /** Undefined for an unknown id. */
  deliveryState(id: string): Promise<DeliveryState | undefined>;
  /** How the deliveries of a trace stand. */
  deliveryStates(traceId: string): Promise<readonly DeliveryState[]>;
  /** Deliveries that are not final, in order. */
  openDeliveries(): Promise<readonly Delivery[]>;
  /** `next`: the delivery behind it, which is sent as soon as this is stored. */
  changeDelivery(id: string, change: DeliveryChange, next?: string): Promise<void>;
  deliveryCounts(): Promise<Readonly<Partial<Record<DeliveryState, number>>>>;
}

const SEND = `insert into outbox (id, position, trace_id, channel_id, session_id, conversation_id, state, message, attempts,
  throttles, next_ms, expires_ms, created_ms, updated_ms) values (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?)`;
const SEND_OF_NODES = `insert into outbox (position, id, trace_id, channel_id, session_id, conversation_id, state, message, attempts,
  throttles, next_ms, expires_ms, created_ms, updated_ms, home, holder)
  values (nextval('gateway_positions'), ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?)`;
const CHANGE = `update outbox set state = ?, updated_ms = ?, cause = coalesce(?, cause), attempts = coalesce(?, attempts),
  throttles = coalesce(?, throttles), next_ms = coalesce(?, next_ms),
  platform_message_id = coalesce(?, platform_message_id), quality = coalesce(?, quality), error = coalesce(?, error),
  error_detail = coalesce(?, error_detail) where id = ?`;
const DELIVERY_STATE = "select state from outbox where id = ?";
const DELIVERY_STATES = "select state from outbox where trace_id = ?";

export interface OutboxStoreParts extends StoreParts {
  readonly position: Positions;
  /** Of this process, where several work on the database. */
  readonly node: (() => string) | undefined;
}

export function createOutboxStore({ truth, clock, position, node }: OutboxStoreParts): OutboxStore {
  const inserts = (deliveries: readonly Delivery[]): readonly Write[] =>
    deliveries.flatMap((delivery) => {
      const [id, ...row] = outboxRow(delivery, clock.now());
      if (!node) return [statement(SEND, [id, position.next(), ...row])];
      const home = homeOfDelivery(delivery);
      const holder = delivery.isElsewhere ? null : node();
      const claim = delivery.isElsewhere ? [statement(CLAIM_HOME, [home, node()])] : [];
      return [...claim, statement(SEND_OF_NODES, [id, ...row, home, holder])];
    });
  return {
    inserts,
    async addDeliveries(deliveries, together = []) {
      await truth().write([...together, ...inserts(deliveries)]);
    },
    async deliveryState(id) {
      const [row] = await truth().lookup<{ state: DeliveryState }>(fixedStatement(DELIVERY_STATE, [id]));
      return row?.state;
    },
    async deliveryStates(traceId) {
      const rows = await truth().lookup<{ state: DeliveryState }>(fixedStatement(DELIVERY_STATES, [traceId]));
      return rows.map(({ state }) => state);
    },
    async openDeliveries() {
      const rows = await tablesOf(truth)
        .selectFrom("outbox")
        .selectAll()
        .where("state", "in", ["pending", "sending", "failed", "unknown_after_send"])
        .orderBy("position")
        .execute();
      position.after(rows.at(-1)?.position);
      return rows.map(deliveryOf);
    },
    async changeDelivery(id, change, next) {
      const now = clock.now();
      const sending = next === undefined ? [] : [changeOf(next, { state: "sending" }, now)];
      await truth().write([changeOf(id, change, now), ...sending]);
    },
    deliveryCounts: async () =>
      countsOf(await tablesOf(truth).selectFrom("outbox").select(STATE_COUNT).groupBy("state").execute()),
  };
}

function changeOf(id: string, change: DeliveryChange, now: number): Write {
  const { state, cause, said, attempts, throttles, nextMs, receipt } = change;
  const receipts = [receipt?.platformMessageId, receipt?.quality];
  const given = [cause, attempts, throttles, nextMs, ...receipts, said?.error, said?.detail && JSON.stringify(said)];
  return { query: fixedStatement(CHANGE, [state, now, ...given.map((value) => value ?? null), id]), expect: 1 };
}

function outboxRow(delivery: Delivery, now: number): readonly unknown[] {
  const { id, channelId, conversationId, state, message, nextMs, expiresMs } = delivery;
  const { traceId, sessionId } = message;
  const text = JSON.stringify(message);
  return [id, traceId, channelId, sessionId, conversationId, state, text, nextMs, expiresMs, now, now];
}

/**
 * What it takes to say in another language what went wrong. It is stored with the sentence it says: a node of the version
 * before stores another sentence without it.
 */
export function errorDetailOf({ error, error_detail: stored }: Pick<OutboxTable, "error" | "error_detail">) {
  const said = stored === null ? undefined : (JSON.parse(stored) as ItemFailure);
  return said?.error === error ? said?.detail : deliveryDetail(error ?? "");
}

export function deliveryOf(row: OutboxTable): Delivery {
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
  };
}
