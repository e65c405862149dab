import type {
  Clock,
  Database,
  InboundMessage,
  OutboundMessage,
  Receipt,
  Turn,
  TurnOutcome,
  TurnPhase,
  Write,
} from "@parley/core";
import { type Kysely, sql } from "kysely";
import type { EventLog, LogEntry } from "./event-log.ts";
import { fixedStatement } from "./fixed-statement.ts";
import type { DeliveryState, GatewayTables, InboxState } from "./tables.ts";

const LEASE_MS = 15_000;
const STEP = 1_000;
const DAY_MS = 86_400_000;

/** A message that waits for its turn; the message itself is read when it runs. */
export interface WaitingItem {
  readonly id: string;
  readonly traceId: string;
  readonly channelId: string;
  readonly sessionId: string;
  readonly receivedMs: number;
  /** How often a turn of it was begun before. */
  readonly runs: number;
}

export interface Claimed {
  readonly message: InboundMessage;
  /** Every write of the run carries it; another run makes it void. */
  readonly fence: number;
  readonly draft: { readonly phase: TurnPhase; readonly turn: Turn } | undefined;
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
}

export interface DeliveryChange {
  readonly state: DeliveryState;
  readonly cause?: string;
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
  /** Back to its place in the queue, to be tried again. */
  release(itemId: string, fence: number): Promise<void>;
  saveDraft(itemId: string, traceId: string, fence: number, phase: TurnPhase, turn: Turn): Promise<void>;
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
  countDeliveries(): Promise<readonly { readonly state: DeliveryState; readonly count: number }[]>;
  /** Deletes what is older than kept, in small steps. */
  prune(dedupeTtlMs: number): Promise<void>;
}

const DRAFT_KEY = "gateway.draft";
const INBOX = "insert into inbox (id, trace_id, channel_id, session_id, state, message, runs, received_ms, updated_ms)";
const INSERT_ALWAYS = `${INBOX} values (?, ?, ?, ?, 'waiting', ?, 0, ?, ?)`;
// Of copies that come together only the one that got the key is stored.
const INSERT_FIRST = `${INBOX} select ?, ?, ?, ?, 'waiting', ?, 0, ?, ? where exists (select 1 from dedupe where key = ? and inbox_id = ?)`;
const MARK = `insert into dedupe (key, inbox_id, trace_id, first_ms, hits) values (?, ?, ?, ?, 0)
  on conflict (key) do update set hits = hits + 1 returning inbox_id, trace_id`;

export function createGatewayStore(database: () => Database, log: EventLog, clock: Clock): GatewayStore {
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

  const sendsOf = (deliveries: readonly Delivery[]) =>
    deliveries.map((delivery) => ({
      query: tables()
        .insertInto("outbox")
        .values(toOutbox(delivery, clock.now()) as never),
    }));

  return {
    async insert({ id, traceId, message, dedupeKey, entries }) {
      const now = clock.now();
      const given = [id, traceId, message.channelId, message.sessionId, JSON.stringify(message), now, now];
      if (dedupeKey === undefined) {
        await write([fixedStatement(INSERT_ALWAYS, given), ...log.writes(entries)]);
        return { itemId: id, traceId };
      }
      const [marked] = await write([
        fixedStatement(MARK, [dedupeKey, id, traceId, now]),
        fixedStatement(INSERT_FIRST, [...given, dedupeKey, id]),
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
      await write([{ query: free }]);
      const rows = await tables()
        .selectFrom("inbox")
        .select(["id", "trace_id", "channel_id", "session_id", "received_ms", "runs"])
        .where("state", "=", "waiting")
        .orderBy("seq")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        traceId: row.trace_id,
        channelId: row.channel_id,
        sessionId: row.session_id,
        receivedMs: row.received_ms,
        runs: row.runs,
      }));
    },
    async claim({ id, traceId }, owner) {
      const now = clock.now();
      const claim = tables()
        .updateTable("inbox")
        .set((row) => ({
          state: "running" as const,
          runs: row("runs", "+", 1),
          lease_owner: owner,
          lease_until_ms: now + LEASE_MS,
          updated_ms: now,
        }))
        .where("id", "=", id)
        .where("state", "=", "waiting")
        .returning(["message", "runs"]);
      const [claimed] = await write([{ query: claim, expect: 1 }]);
      const [row] = (claimed?.rows ?? []) as readonly { message: string; runs: number }[];
      const kept = await tables().selectFrom("turn").selectAll().where("trace_id", "=", traceId).executeTakeFirst();
      const draft =
        kept?.phase && kept.draft ? { phase: kept.phase as TurnPhase, turn: JSON.parse(kept.draft) } : undefined;
      return { message: JSON.parse(row?.message ?? "{}"), fence: row?.runs ?? 0, draft };
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
    async saveDraft(itemId, traceId, fence, phase, turn) {
      const row = { trace_id: traceId, inbox_id: itemId, phase, draft: JSON.stringify(turn), updated_ms: clock.now() };
      const put = tables()
        .insertInto("turn")
        .values({ ...row, outcome: null })
        .onConflict((conflict) => conflict.column("trace_id").doUpdateSet(row));
      await write([{ query: ownRow(itemId, fence).guard, expect: 1 }, { query: put }]);
    },
    async end({ itemId, fence, state, cause, outcome, deliveries, entries }) {
      const now = clock.now();
      const done = ownRow(itemId, fence).guard.set({ state, cause: cause ?? null, lease_owner: null });
      const row = { outcome: JSON.stringify(outcome), draft: null, phase: null, updated_ms: now };
      const turn = tables()
        .insertInto("turn")
        .values({ ...row, trace_id: outcome.traceId, inbox_id: itemId })
        .onConflict((conflict) => conflict.column("trace_id").doUpdateSet(row));
      const sends = sendsOf(deliveries);
      const guards =
        fence === 0 ? [{ query: stoppedBefore(tables(), itemId, state, now) }] : [{ query: done, expect: 1 }];
      await write([...guards, { query: turn }, ...sends, ...log.writes(entries)]);
    },
    async addDeliveries(deliveries, entries) {
      await write([...sendsOf(deliveries), ...log.writes(entries)]);
    },
    async deliveryState(id) {
      const row = await tables().selectFrom("outbox").select("state").where("id", "=", id).executeTakeFirst();
      return row?.state as DeliveryState | undefined;
    },
    async outcome(traceId) {
      const [item, turn] = await Promise.all([
        tables().selectFrom("inbox").select("id").where("trace_id", "=", traceId).executeTakeFirst(),
        tables().selectFrom("turn").select("outcome").where("trace_id", "=", traceId).executeTakeFirst(),
      ]);
      return { isKnown: item !== undefined, outcome: turn?.outcome ? JSON.parse(turn.outcome) : undefined };
    },
    ledger: (traceId, key) =>
      tables()
        .selectFrom("tool_ledger")
        .select(["state", "result"])
        .where("trace_id", "=", traceId)
        .where("key", "=", key)
        .executeTakeFirst(),
    async draftMessage(traceId) {
      const row = await tables()
        .selectFrom("tool_ledger")
        .select("result")
        .where("trace_id", "=", traceId)
        .where("key", "=", DRAFT_KEY)
        .executeTakeFirst();
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
      }));
    },
    async changeDelivery(id, { state, cause, attempts, throttles, nextMs, receipt }) {
      const query = tables()
        .updateTable("outbox")
        .set({
          state,
          updated_ms: clock.now(),
          ...(cause !== undefined && { cause }),
          ...(attempts !== undefined && { attempts }),
          ...(throttles !== undefined && { throttles }),
          ...(nextMs !== undefined && { next_ms: nextMs }),
          ...(receipt && { platform_message_id: receipt.platformMessageId ?? null, quality: receipt.quality }),
        })
        .where("id", "=", id);
      await write([{ query, expect: 1 }]);
    },
    async countDeliveries() {
      const rows = await tables()
        .selectFrom("outbox")
        .select(["state", (select) => select.fn.countAll<number>().as("count")])
        .groupBy("state")
        .execute();
      return rows.map(({ state, count }) => ({ state, count: Number(count) }));
    },
    async prune(dedupeTtlMs) {
      const old = clock.now() - 30 * DAY_MS;
      const steps = [
        sql`delete from dedupe where key in (select key from dedupe where first_ms < ${clock.now() - dedupeTtlMs} limit ${STEP})`,
        sql`delete from gateway_logs where id in (select id from gateway_logs where created_at < ${new Date(old).toISOString()} limit ${STEP})`,
        sql`delete from turn where trace_id in (select trace_id from turn where updated_ms < ${old} limit ${STEP})`,
        sql`delete from tool_ledger where rowid in (select rowid from tool_ledger where started_ms < ${old} limit ${STEP})`,
        sql`delete from outbox where seq in (select seq from outbox where updated_ms < ${old} and state in ('delivered', 'dead', 'expired') limit ${STEP})`,
        sql`delete from inbox where seq in (select seq from inbox where updated_ms < ${old} and state not in ('waiting', 'running') limit ${STEP})`,
      ];
      for (const step of steps) {
        const query = { compile: () => step.compile(tables()) } as never;
        for (let changes = STEP; changes === STEP; ) changes = (await write([{ query }]))[0]?.changes ?? 0;
      }
    },
  };
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

function toOutbox(delivery: Delivery, now: number) {
  return {
    id: delivery.id,
    trace_id: delivery.message.traceId,
    channel_id: delivery.channelId,
    session_id: delivery.message.sessionId,
    conversation_id: delivery.conversationId,
    state: delivery.state,
    message: JSON.stringify(delivery.message),
    attempts: 0,
    throttles: 0,
    next_ms: delivery.nextMs,
    expires_ms: delivery.expiresMs,
    created_ms: now,
    updated_ms: now,
  };
}
