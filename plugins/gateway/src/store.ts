import {
  AppError,
  type Clock,
  type Database,
  type Effect,
  fixedStatement,
  type InboundMessage,
  type OutboundMessage,
  type Receipt,
  type Turn,
  type TurnOutcome,
  type TurnPhase,
  type Write,
  type WriteResult,
} from "@parley/core";
import { type Kysely, sql } from "kysely";
import { type StoredOutcome, storedOutcome } from "./stored-outcome.ts";
import type { DeliveryState, InboxState, OutboxTable, TruthTables } from "./tables.ts";

const LEASE_MS = 15_000;
/** What waited longer for its turn is not answered any more. */
export const STALE_MS = 30 * 60_000;

/** A message that waits for its turn. */
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
  /** Absent: read when it runs. */
  readonly message?: InboundMessage;
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
  /** May be used once in ten minutes; only together with a key. */
  readonly nonceKey?: string | undefined;
  /** Set when its turn begins at once: the row is claimed as it is stored. */
  readonly owner?: string | undefined;
  /** Set when it is only accounted for: why no turn of it runs. */
  readonly skipped?: string | undefined;
}

export interface Ending {
  readonly itemId: string;
  /** 0: no turn of it was begun. */
  readonly fence: number;
  readonly state: InboxState;
  readonly cause?: string;
  readonly outcome: TurnOutcome;
  /** Changes that belong to it, in order. */
  readonly writes?: readonly Write[];
  readonly deliveries?: readonly Delivery[];
  /** An answer of it was kept. */
  readonly hasDraft?: boolean;
}

/** A message that is answered as part of another one. */
export interface MergedItem {
  readonly id: string;
  readonly outcome: TurnOutcome;
}

export interface StoredMessage {
  readonly id: string;
  readonly traceId: string;
  readonly message: InboundMessage;
}

/** The durable side of the gateway: every table that delivery depends on (gateway-delivery §1). */
export interface GatewayStore {
  /**
   * One transaction: key, nonce and row. Gives the ids of the first copy when it is not this one; `unauthorized` when the
   * nonce was used by another event.
   */
  insert(item: NewItem): Promise<{ readonly itemId: string; readonly traceId: string }>;
  /** Rows that still have to run, in order; those of a process that is gone are free again. How many are too old by now. */
  recover(owner: string): Promise<{ readonly waiting: readonly WaitingItem[]; readonly expired: number }>;
  /**
   * Takes a message for a run. One that is at hand and was never begun does not wait for that to be written: what the run
   * writes comes after it, and is refused with `conflict` where the claim failed.
   */
  claim(item: WaitingItem, owner: string): Promise<Claimed>;
  renew(itemIds: readonly string[], owner: string): Promise<void>;
  /**
   * Lets go of a row whose claim or end could not be written. True: it waits again; false: it is over after all.
   * Not knowing is an error.
   */
  free(itemId: string, owner: string): Promise<boolean>;
  /** Back to its place in the queue, to be tried again; with what the run that is given up leaves. */
  release(itemId: string, fence: number, left: readonly Write[]): Promise<void>;
  /** Keeps an answer that was dear to make, together with what stands by itself. */
  saveDraft(itemId: string, traceId: string, fence: number, draft: Draft, early: readonly Write[]): Promise<void>;
  /** What stands by itself, while its turn goes on. */
  writeEarly(writes: readonly Write[]): Promise<readonly WriteResult[]>;
  /**
   * The end of a message in one transaction: its state and outcome, what belongs to the answer, and the deliveries.
   * Gives what each of `writes` gave. `conflict` when somebody else has the message; then nothing is written.
   */
  end(ending: Ending): Promise<readonly WriteResult[]>;
  /** Ends messages that wait behind another one as part of it, in the transaction that stores what they became. */
  merge(itemId: string, fence: number, message: InboundMessage, merged: readonly MergedItem[]): Promise<void>;
  /** The messages of a session that wait, in order. */
  waitingOf(sessionId: string): Promise<readonly StoredMessage[]>;
  outcome(traceId: string): Promise<{ readonly isKnown: boolean; readonly outcome: StoredOutcome | undefined }>;
  ledger(traceId: string, key: string): Promise<{ readonly state: string; readonly result: string | null } | undefined>;
  /** The platform message that shows a turn's answer while it is made. */
  draftMessage(traceId: string): Promise<string | null>;
  keepDraftMessage(traceId: string, messageId: string): Promise<void>;
  startLedger(traceId: string, key: string): Promise<void>;
  finishLedger(traceId: string, key: string, result: string): Promise<void>;
  /** Deliveries that no turn made. */
  addDeliveries(deliveries: readonly Delivery[]): Promise<void>;
  /** Undefined for an unknown id. */
  deliveryState(id: string): Promise<DeliveryState | undefined>;
  /** How the deliveries of a trace stand. */
  deliveryStates(traceId: string): Promise<readonly DeliveryState[]>;
  /** Deliveries that are not final, in order. */
  openDeliveries(): Promise<readonly Delivery[]>;
  /** `next`: the delivery behind it, which is sent as soon as this is stored. */
  changeDelivery(id: string, change: DeliveryChange, next?: string): Promise<void>;
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
const INBOX = `insert into inbox (id, position, trace_id, channel_id, session_id, message, received_ms, updated_ms, state, cause,
  runs, lease_owner, lease_until_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
// Of copies that come together only the one that got the key is stored.
const TAKE_KEY = `insert into dedupe (key, inbox_id, trace_id, first_ms, hits) values (?, ?, ?, ?, 0)
  on conflict (key) do nothing`;
/** Taken only when it is free, or was used long ago. */
const TAKE_NONCE = `insert into dedupe (key, inbox_id, trace_id, first_ms, hits) values (?, ?, ?, ?, 0)
  on conflict (key) do update set inbox_id = excluded.inbox_id, trace_id = excluded.trace_id, first_ms = excluded.first_ms
  where dedupe.first_ms < ?`;
const NONCE_MS = 600_000;
const FIRST_COPY = "update dedupe set hits = hits + 1 where key = ? returning inbox_id, trace_id";
const KEY = "select key from dedupe where key = ?";
const CLAIM = `update inbox set state = 'running', runs = runs + 1, lease_owner = ?, lease_until_ms = ?, updated_ms = ?
  where id = ? and state = 'waiting' returning message, runs`;
// What failed for an outer reason is no sign that the message ends the process.
const FREE = `update inbox set state = 'waiting', lease_owner = null, runs = 0, updated_ms = ?
  where id = ? and state = 'running' and lease_owner = ?`;
const RELEASE = `update inbox set state = 'waiting', lease_owner = null, runs = 0, updated_ms = ?
  where id = ? and runs = ? and state = 'running'`;
const ITEM_STATE = "select state from inbox where id = ?";
// An answer that is there already is still delivered.
const EXPIRE = `update inbox set state = 'expired', cause = 'stale', updated_ms = ? where state = 'waiting' and received_ms < ?
  and not exists (select 1 from turn_draft where turn_draft.trace_id = inbox.trace_id)`;
const KEPT_DRAFT = "select phase, draft from turn_draft where trace_id = ?";
const GUARD = "update inbox set updated_ms = ? where id = ? and runs = ? and state = 'running'";
const SAVE_DRAFT = `insert into turn_draft (trace_id, phase, draft, updated_ms) values (?, ?, ?, ?)
  on conflict (trace_id) do update set phase = excluded.phase, draft = excluded.draft, updated_ms = excluded.updated_ms`;
const DROP_DRAFT = "delete from turn_draft where trace_id = ?";
const END = `update inbox set state = ?, cause = ?, outcome = ?, lease_owner = null, updated_ms = ?
  where id = ? and runs = ? and state = 'running'`;
/** A message that is dropped before it began has no run whose number could guard the write. */
const END_UNRUN =
  "update inbox set state = ?, cause = ?, outcome = ?, updated_ms = ? where id = ? and state = 'waiting'";
const MERGE = "update inbox set message = ?, updated_ms = ? where id = ? and runs = ? and state = 'running'";
const SEND = `insert into outbox (id, position, trace_id, channel_id, session_id, conversation_id, state, message, attempts,
  throttles, next_ms, expires_ms, created_ms, updated_ms) values (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?)`;
const CHANGE = `update outbox set state = ?, updated_ms = ?, cause = coalesce(?, cause), attempts = coalesce(?, attempts),
  throttles = coalesce(?, throttles), next_ms = coalesce(?, next_ms),
  platform_message_id = coalesce(?, platform_message_id), quality = coalesce(?, quality), error = coalesce(?, error)
  where id = ?`;
const OUTCOME = "select outcome from inbox where trace_id = ?";
const DELIVERY_STATE = "select state from outbox where id = ?";
const DELIVERY_STATES = "select state from outbox where trace_id = ?";
const LEDGER = "select state, result from tool_ledger where trace_id = ? and key = ?";
const NOTE_CALL = `insert into tool_ledger (trace_id, key, state, result, started_ms) values (?, ?, ?, ?, ?)
  on conflict (trace_id, key) do nothing`;
const END_CALL = "update tool_ledger set state = 'done', result = ? where trace_id = ? and key = ?";

export interface GatewayStoreParts {
  readonly database: () => Database;
  readonly clock: Clock;
}

export function createGatewayStore({ database, clock }: GatewayStoreParts): GatewayStore {
  const tables = (): Kysely<TruthTables> => database().tables<TruthTables>();
  const write = (writes: readonly Write[]) => database().write(writes);
  const one = (text: string, parameters: readonly unknown[], more: Partial<Write> = {}): Write => ({
    query: fixedStatement(text, parameters),
    ...more,
  });
  const position = createPositions(clock);
  /** Whether it was the nonce: only an event of its own fails for that. */
  const usedNonce = async (error: unknown, nonceKey: string | undefined): Promise<never> => {
    if (nonceKey === undefined || !AppError.is(error) || error.code !== "conflict") throw error;
    const [used] = await database().lookup<{ key: string }>(fixedStatement(KEY, [nonceKey]));
    if (!used) throw error;
    throw new AppError("unauthorized", "authentication failed", { cause: "replay_detected" });
  };
  const sendsOf = (deliveries: readonly Delivery[]): readonly Write[] =>
    deliveries.map((delivery) => one(SEND, outboxRow(delivery, position.next(), clock.now())));

  return {
    async insert({ id, traceId, message, dedupeKey, nonceKey, owner, skipped }) {
      const now = clock.now();
      const state = stateOf({ owner, skipped });
      const lease = state === "running" ? [FIRST_FENCE, owner, now + LEASE_MS] : [0, null, null];
      const { channelId, sessionId } = message;
      const row = [id, position.next(), traceId, channelId, sessionId, JSON.stringify(message), now, now, state];
      const given = [...row, skipped ?? null, ...lease];
      if (dedupeKey === undefined) {
        await write([one(INBOX, given)]);
        return { itemId: id, traceId };
      }
      const nonce = [nonceKey, id, traceId, now, now - NONCE_MS];
      const [taken] = await write([
        one(TAKE_KEY, [dedupeKey, id, traceId, now]),
        ...(nonceKey === undefined ? [] : [one(TAKE_NONCE, nonce, { ifChanged: true, expect: 1 })]),
        one(INBOX, given, { ifChanged: true }),
      ]).catch((error) => usedNonce(error, nonceKey));
      if (taken?.changes === 1) return { itemId: id, traceId };
      const [counted] = await write([one(FIRST_COPY, [dedupeKey])]);
      const [first] = (counted?.rows ?? []) as readonly { inbox_id: string; trace_id: string }[];
      if (!first) throw new AppError("unavailable", "the first copy of the message is not there", { retryAfterS: 1 });
      return { itemId: first.inbox_id, traceId: first.trace_id };
    },
    async recover(owner) {
      // The data folder has one process: whatever was running belongs to one that is gone.
      const free = tables()
        .updateTable("inbox")
        .set({ state: "waiting", lease_owner: null, lease_until_ms: null })
        .where("state", "=", "running")
        .where((row) => row.or([row("lease_owner", "is", null), row("lease_owner", "!=", owner)]));
      const now = clock.now();
      const [, expired] = await write([{ query: free }, one(EXPIRE, [now, now - STALE_MS])]);
      const rows = await tables()
        .selectFrom("inbox")
        .select(["id", "position", "trace_id", "channel_id", "session_id", "received_ms"])
        .where("state", "=", "waiting")
        .orderBy("position")
        .execute();
      position.after(rows.at(-1)?.position);
      const waiting = rows.map((row) => ({
        id: row.id,
        traceId: row.trace_id,
        channelId: row.channel_id,
        sessionId: row.session_id,
        // How old it is only the clock on the wall can say.
        sinceMs: clock.monotonic() - Math.max(0, now - Number(row.received_ms)),
        isFirst: false,
        isBacklog: true,
      }));
      return { waiting, expired: expired?.changes ?? 0 };
    },
    async claim({ id, traceId, isFirst, message }, owner) {
      const now = clock.now();
      const claiming = write([one(CLAIM, [owner, now + LEASE_MS, now, id], { expect: 1 })]);
      if (isFirst && message) {
        // Its end finds out.
        claiming.catch(() => {});
        return { message, fence: FIRST_FENCE, draft: undefined };
      }
      const [claimed] = await claiming;
      const [row] = (claimed?.rows ?? []) as readonly { message: string; runs: number }[];
      if (!row) throw new AppError("internal", "a claimed message is not there");
      const [kept] = isFirst
        ? []
        : await database().lookup<{ phase: TurnPhase; draft: string }>(fixedStatement(KEPT_DRAFT, [traceId]));
      const draft = kept && draftOf(kept.phase, JSON.parse(kept.draft));
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
    async release(itemId, fence, left) {
      await write([one(RELEASE, [clock.now(), itemId, fence], { expect: 1 }), ...left]);
    },
    async free(itemId, owner) {
      await write([one(FREE, [clock.now(), itemId, owner])]);
      const [row] = await database().lookup<{ state: InboxState }>(fixedStatement(ITEM_STATE, [itemId]));
      return row?.state === "waiting";
    },
    async saveDraft(itemId, traceId, fence, { phase, turn }, early) {
      const now = clock.now();
      await write([
        one(GUARD, [now, itemId, fence], { expect: 1 }),
        ...early,
        one(SAVE_DRAFT, [traceId, phase, JSON.stringify(storedDraft(turn)), now]),
      ]);
    },
    writeEarly: write,
    async end({ itemId, fence, state, cause, outcome, writes = [], deliveries = [], hasDraft }) {
      const now = clock.now();
      const stored = JSON.stringify(storedOutcome(outcome));
      const done =
        fence === 0
          ? one(END_UNRUN, [state, cause ?? null, stored, now, itemId])
          : one(END, [state, cause ?? null, stored, now, itemId, fence], { expect: 1 });
      const dropDraft = hasDraft ? [one(DROP_DRAFT, [outcome.traceId])] : [];
      const results = await write([done, ...writes, ...dropDraft, ...sendsOf(deliveries)]);
      return results.slice(1, writes.length + 1);
    },
    async merge(itemId, fence, message, merged) {
      const now = clock.now();
      const ends = merged.map(({ id, outcome }) =>
        one(END_UNRUN, ["done", "album", JSON.stringify(storedOutcome(outcome)), now, id]),
      );
      await write([one(MERGE, [JSON.stringify(message), now, itemId, fence], { expect: 1 }), ...ends]);
    },
    async waitingOf(sessionId) {
      const rows = await tables()
        .selectFrom("inbox")
        .select(["id", "trace_id", "message"])
        .where("session_id", "=", sessionId)
        .where("state", "=", "waiting")
        .orderBy("position")
        .execute();
      return rows.map((row) => ({ id: row.id, traceId: row.trace_id, message: JSON.parse(row.message) }));
    },
    async addDeliveries(deliveries) {
      await write(sendsOf(deliveries));
    },
    async deliveryState(id) {
      const [row] = await database().lookup<{ state: DeliveryState }>(fixedStatement(DELIVERY_STATE, [id]));
      return row?.state;
    },
    async deliveryStates(traceId) {
      const rows = await database().lookup<{ state: DeliveryState }>(fixedStatement(DELIVERY_STATES, [traceId]));
      return rows.map(({ state }) => state);
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
      await write([one(NOTE_CALL, [traceId, DRAFT_KEY, "done", messageId, clock.now()])]);
    },
    async startLedger(traceId, key) {
      await write([one(NOTE_CALL, [traceId, key, "started", null, clock.now()])]);
    },
    async finishLedger(traceId, key, result) {
      await write([one(END_CALL, [result, traceId, key])]);
    },
    async openDeliveries() {
      const rows = await tables()
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
      await write([changeOf(id, change, now), ...sending]);
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

/** Numbers that grow, also when the clock is set back: the order of what is stored. */
function createPositions(clock: Clock) {
  let last = 0;
  return {
    next(): number {
      last = Math.max(last + 1, clock.now() * 1_000);
      return last;
    },
    /** What is stored already is before all that comes. */
    after(stored: number | undefined) {
      last = Math.max(last, Number(stored ?? 0));
    },
  };
}

function changeOf(id: string, change: DeliveryChange, now: number): Write {
  const { state, cause, error, attempts, throttles, nextMs, receipt } = change;
  const given = [cause, attempts, throttles, nextMs, receipt?.platformMessageId, receipt?.quality, error];
  return { query: fixedStatement(CHANGE, [state, now, ...given.map((value) => value ?? null), id]), expect: 1 };
}

function outboxRow(delivery: Delivery, position: number, now: number): readonly unknown[] {
  const { id, channelId, conversationId, state, message, nextMs, expiresMs } = delivery;
  const { traceId, sessionId } = message;
  const text = JSON.stringify(message);
  return [id, position, traceId, channelId, sessionId, conversationId, state, text, nextMs, expiresMs, now, now];
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

/** An effect in a draft: what it does when it is stored is gone with the process that made it. */
interface StoredStatement extends Omit<Write, "query"> {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

function storedDraft({ effects, ...turn }: Draft["turn"]) {
  const later = effects.filter(({ isEarly }) => !isEarly);
  const statements = later.map(({ writes }) =>
    writes.map(({ query, ...how }): StoredStatement => {
      const { sql: text, parameters } = query.compile();
      return { sql: text, parameters, ...how };
    }),
  );
  return { turn, effects: statements };
}

function draftOf(phase: TurnPhase, stored: ReturnType<typeof storedDraft>): Draft {
  const effects = stored.effects.map(
    (statements): Effect => ({
      writes: statements.map(({ sql: text, parameters, ...how }) => ({
        query: fixedStatement(text, parameters),
        ...how,
      })),
    }),
  );
  return { phase, turn: { ...stored.turn, effects } };
}
