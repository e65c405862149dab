import {
  AppError,
  type Clock,
  type Database,
  fixedStatement,
  type InboundMessage,
  newTraceId,
  type OutboundMessage,
  type Receipt,
  type Turn,
  type TurnOutcome,
  type TurnPhase,
  type Write,
} from "@parley/core";
import { type Kysely, sql } from "kysely";
import type { EventLog, LogEntry } from "./event-log.ts";
import type { Recordings } from "./recording.ts";
import type { DeliveryState, GatewayTables, InboxState } from "./tables.ts";

const LEASE_MS = 15_000;
/** What waited longer for its turn is not answered any more. */
export const STALE_MS = 30 * 60_000;

/** A message that waits for its turn; the message itself is read when it runs. */
export interface WaitingItem {
  readonly id: string;
  readonly traceId: string;
  readonly channelId: string;
  readonly sessionId: string;
  /** When it was received, on the clock that never jumps; before this process began it may be negative. */
  readonly sinceMs: number;
  /** No turn of it was begun before: there is nothing to go on from. */
  readonly isFirst: boolean;
  /** It waited already when the service was started. */
  readonly isBacklog?: boolean;
}

export interface Claimed {
  readonly message: InboundMessage;
  /** Every write of the run carries it; another run makes it void. */
  readonly fence: number;
  readonly draft: Draft | undefined;
}

/** What a turn had come to; what it started from is not in it. */
export interface Draft {
  readonly phase: TurnPhase;
  readonly turn: Omit<Turn, "inbound" | "session" | "history" | "prompt">;
}

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
}

export interface DeliveryChange {
  readonly state: DeliveryState;
  readonly cause?: string;
  /** What went wrong, in the platform's words; masked. */
  readonly error?: string;
  readonly attempts?: number;
  readonly throttles?: number;
  readonly nextMs?: number;
  readonly receipt?: Receipt;
}

export interface NewItem {
  readonly id: string;
  readonly traceId: string;
  readonly message: InboundMessage;
  /** Undefined: copies cannot be told apart. */
  readonly dedupeKey: string | undefined;
  readonly entries: readonly LogEntry[];
  /** Set when its turn begins at once: the row is claimed as it is stored. */
  readonly owner?: string | undefined;
  /** Set when it is only accounted for: why no turn of it runs. */
  readonly skipped?: string | undefined;
}

export interface Ending {
  readonly itemId: string;
  readonly fence: number;
  readonly state: InboxState;
  readonly cause?: string;
  readonly outcome: TurnOutcome;
  readonly deliveries: readonly Delivery[];
  readonly entries: readonly LogEntry[];
}

/** The durable side of the gateway (gateway-delivery §1). */
export interface GatewayStore {
  /** One transaction: key, row and events. Gives the ids of the first copy when it is not this one. */
  insert(item: NewItem): Promise<{ readonly itemId: string; readonly traceId: string }>;
  /** Rows that still have to run, in order; those of a process that is gone are free again. */
  recover(owner: string): Promise<readonly WaitingItem[]>;
  claim(item: WaitingItem, owner: string): Promise<Claimed>;
  renew(itemIds: readonly string[], owner: string): Promise<void>;
  /**
   * Lets go of a row whose claim or end could not be written. True: it waits again; false: it is over after all.
   * Not knowing is an error.
   */
  free(itemId: string, owner: string): Promise<boolean>;
  /** Back to its place in the queue, to be tried again. */
  release(itemId: string, fence: number): Promise<void>;
  saveDraft(itemId: string, traceId: string, fence: number, draft: Draft): Promise<void>;
  /** Turn, inbox, outbox and events in one transaction. */
  end(ending: Ending): Promise<void>;
  outcome(traceId: string): Promise<{ readonly isKnown: boolean; readonly outcome: TurnOutcome | undefined }>;
  ledger(traceId: string, key: string): Promise<{ readonly state: string; readonly result: string | null } | undefined>;
  /** The platform message that shows a turn's answer while it is made. */
  draftMessage(traceId: string): Promise<string | null>;
  keepDraftMessage(traceId: string, messageId: string): Promise<void>;
  startLedger(traceId: string, key: string): Promise<void>;
  finishLedger(traceId: string, key: string, result: string): Promise<void>;
  /** Deliveries that no turn made, with their events, in one transaction. */
  addDeliveries(deliveries: readonly Delivery[], entries: readonly LogEntry[]): Promise<void>;
  /** Undefined for an unknown id. */
  deliveryState(id: string): Promise<DeliveryState | undefined>;
  /** Deliveries that are not final, in order. */
  openDeliveries(): Promise<readonly Delivery[]>;
  changeDelivery(id: string, change: DeliveryChange): Promise<void>;
  /** How many rows are in which state; for the start, later they are counted as they change. */
  itemCounts(): Promise<Readonly<Partial<Record<InboxState, number>>>>;
  deliveryCounts(): Promise<Readonly<Partial<Record<DeliveryState, number>>>>;
}

interface LedgerRow {
  readonly state: string;
  readonly result: string | null;
}

const DRAFT_KEY = "gateway.draft";
/** The fencing number of a turn that begins as its message is stored. */
export const FIRST_FENCE = 1;
const INBOX = `insert into inbox (id, trace_id, channel_id, session_id, message, received_ms, updated_ms, state, cause, runs,
  lease_owner, lease_until_ms)`;
const INSERT_ALWAYS = `${INBOX} values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
// Of copies that come together only the one that got the key is stored.
const INSERT_FIRST = `${INBOX} select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? where exists (select 1 from dedupe where key = ? and inbox_id = ?)`;
const CLAIM = `update inbox set state = 'running', runs = runs + 1, lease_owner = ?, lease_until_ms = ?, updated_ms = ?
  where id = ? and state = 'waiting' returning message, runs`;
// What failed for an outer reason is no sign that the message ends the process.
const FREE = `update inbox set state = 'waiting', lease_owner = null, runs = 0, updated_ms = ?
  where id = ? and state = 'running' and lease_owner = ?`;
const ITEM_STATE = "select state from inbox where id = ?";
// An answer that is there already is still delivered.
const EXPIRE = `update inbox set state = 'expired', cause = 'stale', updated_ms = ? where state = 'waiting' and received_ms < ?
  and not exists (select 1 from turn where turn.trace_id = inbox.trace_id and turn.draft is not null)`;
const KEPT_DRAFT = "select phase, draft from turn where trace_id = ? and draft is not null";
const GUARD = "update inbox set updated_ms = ? where id = ? and runs = ? and state = 'running'";
const SAVE_DRAFT = `insert into turn (trace_id, inbox_id, phase, draft, outcome, updated_ms) values (?, ?, ?, ?, null, ?)
  on conflict (trace_id) do update set phase = excluded.phase, draft = excluded.draft, updated_ms = excluded.updated_ms`;
const END = `update inbox set state = ?, cause = ?, lease_owner = null, updated_ms = ?
  where id = ? and runs = ? and state = 'running'`;
const KEEP_OUTCOME = `insert into turn (trace_id, inbox_id, phase, draft, outcome, updated_ms) values (?, ?, null, null, ?, ?)
  on conflict (trace_id) do update set phase = null, draft = null, outcome = excluded.outcome, updated_ms = excluded.updated_ms`;
const SEND = `insert into outbox (id, trace_id, channel_id, session_id, conversation_id, state, message, attempts, throttles,
  next_ms, expires_ms, created_ms, updated_ms) values (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?)`;
const CHANGE = `update outbox set state = ?, updated_ms = ?, cause = coalesce(?, cause), attempts = coalesce(?, attempts),
  throttles = coalesce(?, throttles), next_ms = coalesce(?, next_ms),
  platform_message_id = coalesce(?, platform_message_id), quality = coalesce(?, quality), error = coalesce(?, error)
  where id = ?`;
const OUTCOME = `select inbox.id, turn.outcome from inbox left join turn on turn.trace_id = inbox.trace_id
  where inbox.trace_id = ?`;
const DELIVERY_STATE = "select state from outbox where id = ?";
const LEDGER = "select state, result from tool_ledger where trace_id = ? and key = ?";
const MARK = `insert into dedupe (key, inbox_id, trace_id, first_ms, hits) values (?, ?, ?, ?, 0)
  on conflict (key) do update set hits = hits + 1 returning inbox_id, trace_id`;

export interface GatewayStoreParts {
  readonly database: () => Database;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly recordings: Recordings;
}

export function createGatewayStore({ database, log, clock, recordings }: GatewayStoreParts): GatewayStore {
  const tables = (): Kysely<GatewayTables> => database().tables<GatewayTables>();
  const write = (writes: readonly Write[]) => database().write(writes);
  const ownRow = (itemId: string, fence: number) => ({
    itemId,
    guard: tables()
      .updateTable("inbox")
      .set({ updated_ms: clock.now() })
      .where("id", "=", itemId)
      .where("runs", "=", fence)
      .where("state", "=", "running"),
  });

  const sendsOf = (deliveries: readonly Delivery[]): readonly Write[] =>
    deliveries.map((delivery) => ({ query: fixedStatement(SEND, outboxRow(delivery, clock.now())) }));

  return {
    async insert({ id, traceId, message, dedupeKey, entries, owner, skipped }) {
      const now = clock.now();
      const state = stateOf({ owner, skipped });
      const lease = state === "running" ? [FIRST_FENCE, owner, now + LEASE_MS] : [0, null, null];
      const { channelId, sessionId } = message;
      const text = JSON.stringify(message);
      const given = [id, traceId, channelId, sessionId, text, now, now, state, skipped ?? null, ...lease];
      if (dedupeKey === undefined) {
        await write([{ query: fixedStatement(INSERT_ALWAYS, given) }, ...log.writes(entries)]);
        return { itemId: id, traceId };
      }
      const [marked] = await write([
        { query: fixedStatement(MARK, [dedupeKey, id, traceId, now]) },
        { query: fixedStatement(INSERT_FIRST, [...given, dedupeKey, id]) },
      ]);
      const [first] = (marked?.rows ?? []) as readonly { inbox_id: string; trace_id: string }[];
      const isCopy = first !== undefined && first.inbox_id !== id;
      for (const entry of isCopy ? [duplicated(entries[0], first.trace_id)] : entries) if (entry) log.add(entry);
      return { itemId: first?.inbox_id ?? id, traceId: first?.trace_id ?? traceId };
    },
    async recover(owner) {
      // The data folder has one process: whatever was running belongs to one that is gone.
      const free = tables()
        .updateTable("inbox")
        .set({ state: "waiting", lease_owner: null, lease_until_ms: null })
        .where("state", "=", "running")
        .where((row) => row.or([row("lease_owner", "is", null), row("lease_owner", "!=", owner)]));
      const now = clock.now();
      const [, expired] = await write([{ query: free }, { query: fixedStatement(EXPIRE, [now, now - STALE_MS]) }]);
      const changes = expired?.changes ?? 0;
      if (changes > 0) {
        const message = `${changes} messages waited too long while the service was away: they are not answered`;
        log.add({ traceId: newTraceId(now), status: "expired", message });
      }
      const rows = await tables()
        .selectFrom("inbox")
        .select(["id", "trace_id", "channel_id", "session_id", "received_ms"])
        .where("state", "=", "waiting")
        .orderBy("seq")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        traceId: row.trace_id,
        channelId: row.channel_id,
        sessionId: row.session_id,
        // How old it is only the clock on the wall can say.
        sinceMs: clock.monotonic() - Math.max(0, now - row.received_ms),
        isFirst: false,
        isBacklog: true,
      }));
    },
    async claim({ id, traceId, isFirst }, owner) {
      const now = clock.now();
      const query = fixedStatement(CLAIM, [owner, now + LEASE_MS, now, id]);
      const [claimed] = await write([{ query, expect: 1 }]);
      const [row] = (claimed?.rows ?? []) as readonly { message: string; runs: number }[];
      if (!row) throw new AppError("internal", "a claimed message is not there");
      const [kept] = isFirst
        ? []
        : await database().lookup<{ phase: TurnPhase; draft: string }>(fixedStatement(KEPT_DRAFT, [traceId]));
      const draft = kept && { phase: kept.phase, turn: JSON.parse(kept.draft) };
      return { message: JSON.parse(row.message), fence: row.runs, draft };
    },
    async renew(itemIds, owner) {
      if (itemIds.length === 0) return;
      const query = tables()
        .updateTable("inbox")
        .set({ lease_until_ms: clock.now() + LEASE_MS })
        .where("id", "in", [...itemIds])
        .where("lease_owner", "=", owner);
      await write([{ query }]);
    },
    async release(itemId, fence) {
      const { guard } = ownRow(itemId, fence);
      // A try that failed for an outer reason is no sign that the message ends the process.
      await write([{ query: guard.set({ state: "waiting", lease_owner: null, runs: 0 }), expect: 1 }]);
    },
    async free(itemId, owner) {
      const now = clock.now();
      await write([{ query: fixedStatement(FREE, [now, itemId, owner]) }]);
      const [row] = await database().lookup<{ state: InboxState }>(fixedStatement(ITEM_STATE, [itemId]));
      return row?.state === "waiting";
    },
    async saveDraft(itemId, traceId, fence, { phase, turn }) {
      const now = clock.now();
      await write([
        { query: fixedStatement(GUARD, [now, itemId, fence]), expect: 1 },
        { query: fixedStatement(SAVE_DRAFT, [traceId, itemId, phase, JSON.stringify(turn), now]) },
      ]);
    },
    async end({ itemId, fence, state, cause, outcome, deliveries, entries }) {
      const now = clock.now();
      const done =
        fence === 0
          ? { query: stoppedBefore(tables(), itemId, state, now) }
          : { query: fixedStatement(END, [state, cause ?? null, now, itemId, fence]), expect: 1 };
      const kept = fixedStatement(KEEP_OUTCOME, [outcome.traceId, itemId, JSON.stringify(outcome), now]);
      const recorded = recordings.writes(outcome.traceId);
      await write([done, { query: kept }, ...recorded, ...sendsOf(deliveries), ...log.writes(entries)]);
    },
    async addDeliveries(deliveries, entries) {
      await write([...sendsOf(deliveries), ...log.writes(entries)]);
    },
    async deliveryState(id) {
      const [row] = await database().lookup<{ state: DeliveryState }>(fixedStatement(DELIVERY_STATE, [id]));
      return row?.state;
    },
    async outcome(traceId) {
      const [row] = await database().lookup<{ outcome: string | null }>(fixedStatement(OUTCOME, [traceId]));
      return { isKnown: row !== undefined, outcome: row?.outcome ? JSON.parse(row.outcome) : undefined };
    },
    async ledger(traceId, key) {
      const [row] = await database().lookup<LedgerRow>(fixedStatement(LEDGER, [traceId, key]));
      return row;
    },
    async draftMessage(traceId) {
      const [row] = await database().lookup<LedgerRow>(fixedStatement(LEDGER, [traceId, DRAFT_KEY]));
      return row?.result ?? null;
    },
    async keepDraftMessage(traceId, messageId) {
      const row = {
        trace_id: traceId,
        key: DRAFT_KEY,
        state: "done" as const,
        result: messageId,
        started_ms: clock.now(),
      };
      await write([{ query: tables().insertInto("tool_ledger").orIgnore().values(row) }]);
    },
    async startLedger(traceId, key) {
      const row = { trace_id: traceId, key, state: "started" as const, result: null, started_ms: clock.now() };
      await write([{ query: tables().insertInto("tool_ledger").orIgnore().values(row) }]);
    },
    async finishLedger(traceId, key, result) {
      const query = tables()
        .updateTable("tool_ledger")
        .set({ state: "done", result })
        .where("trace_id", "=", traceId)
        .where("key", "=", key);
      await write([{ query }]);
    },
    async openDeliveries() {
      const rows = await tables()
        .selectFrom("outbox")
        .selectAll()
        .where("state", "in", ["pending", "sending", "failed", "unknown_after_send"])
        .orderBy("seq")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        channelId: row.channel_id,
        conversationId: row.conversation_id,
        message: JSON.parse(row.message),
        state: row.state,
        attempts: row.attempts,
        throttles: row.throttles,
        nextMs: row.next_ms,
        expiresMs: row.expires_ms,
        createdMs: row.created_ms,
      }));
    },
    async changeDelivery(id, { state, cause, error, attempts, throttles, nextMs, receipt }) {
      const given = [cause, attempts, throttles, nextMs, receipt?.platformMessageId, receipt?.quality, error];
      const query = fixedStatement(CHANGE, [state, clock.now(), ...given.map((value) => value ?? null), id]);
      await write([{ query, expect: 1 }]);
    },
    itemCounts: async () => countsOf(await tables().selectFrom("inbox").select(STATE_COUNT).groupBy("state").execute()),
    deliveryCounts: async () =>
      countsOf(await tables().selectFrom("outbox").select(STATE_COUNT).groupBy("state").execute()),
  };
}

const STATE_COUNT = ["state", sql<number>`count(*)`.as("count")] as const;

function countsOf<State extends string>(rows: readonly { readonly state: State; readonly count: number }[]) {
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)])) as Partial<Record<State, number>>;
}

/** The state a message is stored in. */
export function stateOf({ owner, skipped }: Pick<NewItem, "owner" | "skipped">): InboxState {
  if (skipped !== undefined) return "skipped";
  return owner === undefined ? "waiting" : "running";
}

/** A turn that is dropped before it began has no run whose number could guard the write. */
function stoppedBefore(tables: Kysely<GatewayTables>, itemId: string, state: InboxState, now: number) {
  return tables
    .updateTable("inbox")
    .set({ state, updated_ms: now })
    .where("id", "=", itemId)
    .where("state", "=", "waiting");
}

function duplicated(entry: LogEntry | undefined, traceId: string): LogEntry | undefined {
  return entry && { ...entry, traceId, status: "duplicated", message: "a copy of an earlier message" };
}

function outboxRow({ id, channelId, conversationId, state, message, nextMs, expiresMs }: Delivery, now: number) {
  const { traceId, sessionId } = message;
  return [
    id,
    traceId,
    channelId,
    sessionId,
    conversationId,
    state,
    JSON.stringify(message),
    nextMs,
    expiresMs,
    now,
    now,
  ];
}
