import {
  AppError,
  type Database,
  fixedStatement,
  type InboundMessage,
  type TurnOutcome,
  type Write,
  type WriteResult,
} from "@parley/core";
import { type StoredOutcome, storedOutcome } from "../stored-outcome.ts";
import type { InboxState } from "../tables.ts";
import { CLAIM_HOME, homeOf } from "./homes.ts";
import type { Delivery, OutboxStore } from "./outbox.ts";
import { countsOf, type Positions, STATE_COUNT, type StoreParts, statement, tablesOf } from "./statement.ts";
import { DROP_DRAFT, type Draft, type TurnStore } from "./turns.ts";

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

export interface StoredItem {
  readonly itemId: string;
  readonly traceId: string;
  /** Of several nodes the one that has its home. */
  readonly node?: string;
}

/** Messages that came in, and the keys that tell copies apart. */
export interface InboxStore {
  /**
   * One transaction: key, nonce and row. Gives the ids of the first copy when it is not this one; `unauthorized` when the
   * nonce was used by another event.
   */
  insert(item: NewItem): Promise<StoredItem>;
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
  /** How many rows are in which state; for the start, later they are counted as they change. */
  itemCounts(): Promise<Readonly<Partial<Record<InboxState, number>>>>;
}

/** The fencing number of a turn that begins as its message is stored. */
export const FIRST_FENCE = 1;
const INBOX = `insert into inbox (id, position, trace_id, channel_id, session_id, message, received_ms, updated_ms, state, cause,
  runs, lease_owner, lease_until_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** In nobody's memory yet; its place is given by the database, whose order no two nodes see in different ways. */
const INBOX_OF_NODES = `insert into inbox (id, position, trace_id, channel_id, session_id, message, received_ms, updated_ms, state,
  cause, home) values (?, nextval('gateway_positions'), ?, ?, ?, ?, ?, ?, ?, ?, ?)
  returning (select node_id from gateway_homes where gateway_homes.home = inbox.home) as node_id`;
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
const END = `update inbox set state = ?, cause = ?, outcome = ?, lease_owner = null, updated_ms = ?
  where id = ? and runs = ? and state = 'running'`;
/** A message that is dropped before it began has no run whose number could guard the write. */
const END_UNRUN =
  "update inbox set state = ?, cause = ?, outcome = ?, updated_ms = ? where id = ? and state = 'waiting'";
const MERGE = "update inbox set message = ?, updated_ms = ? where id = ? and runs = ? and state = 'running'";
const OUTCOME = "select outcome from inbox where trace_id = ?";

export interface InboxParts extends StoreParts {
  readonly position: Positions;
  readonly deliveries: Pick<OutboxStore, "inserts">;
  readonly turns: Pick<TurnStore, "keptDraft">;
  /** Of this process, where several work on the database. */
  readonly node: (() => string) | undefined;
}

export function createInboxStore(parts: InboxParts): InboxStore {
  return { ...createArrivals(parts), ...createClaims(parts), ...createEnds(parts), ...createLookups(parts) };
}

/** How messages come in. */
function createArrivals(parts: InboxParts): Pick<InboxStore, "insert"> {
  const { truth, clock } = parts;
  return {
    async insert(item) {
      const { id, traceId, dedupeKey, nonceKey } = item;
      const now = clock.now();
      const [first, ...others] = rowsOf(parts, item, now);
      if (dedupeKey === undefined) {
        const stored = await truth().write([first, ...others]);
        return { itemId: id, traceId, ...nodeIn(parts, stored) };
      }
      const nonce = [nonceKey, id, traceId, now, now - NONCE_MS];
      const results = await truth()
        .write([
          statement(TAKE_KEY, [dedupeKey, id, traceId, now]),
          ...(nonceKey === undefined ? [] : [statement(TAKE_NONCE, nonce, { ifChanged: true, expect: 1 })]),
          { ...first, ifChanged: true },
          ...others,
        ])
        .catch((error) => usedNonce(truth(), error, nonceKey));
      return results[0]?.changes === 1
        ? { itemId: id, traceId, ...nodeIn(parts, results) }
        : firstCopy(truth(), dedupeKey);
    },
  };
}

/** The row of a message; where there are several nodes, behind the claim of its home. */
function rowsOf({ position, node }: InboxParts, item: NewItem, now: number): readonly [Write, ...Write[]] {
  const { id, traceId, message, owner, skipped } = item;
  const state = stateOf({ owner, skipped });
  const { channelId, sessionId } = message;
  const given = [traceId, channelId, sessionId, JSON.stringify(message), now, now, state, skipped ?? null];
  if (!node) {
    const lease = state === "running" ? [FIRST_FENCE, owner, now + LEASE_MS] : [0, null, null];
    return [statement(INBOX, [id, position.next(), ...given, ...lease])];
  }
  const home = homeOf(sessionId);
  const row = [id, ...given, home];
  // Whoever has it already is told by the row; nobody waits for the claim of another node.
  return [statement(INBOX_OF_NODES, row), statement(CLAIM_HOME, [home, node()], { ifChanged: true })];
}

/** The node that has the home of a message that was stored; none where it is not known. */
function nodeIn({ node }: InboxParts, results: readonly WriteResult[]): Pick<StoredItem, "node"> {
  if (!node) return {};
  const [stored, claimed] = results.slice(-2);
  const [row] = (stored?.rows ?? []) as readonly { node_id: string | null }[];
  const found = row?.node_id ?? (claimed?.changes === 1 ? node() : undefined);
  return found === undefined ? {} : { node: found };
}

/** Whether it was the nonce: only an event of its own fails for that. */
async function usedNonce(truth: Database, error: unknown, nonceKey: string | undefined): Promise<never> {
  if (nonceKey === undefined || !AppError.is(error) || error.code !== "conflict") throw error;
  const [used] = await truth.lookup<{ key: string }>(fixedStatement(KEY, [nonceKey]));
  if (!used) throw error;
  throw new AppError("unauthorized", "authentication failed", { cause: "replay_detected" });
}

/** The ids of the first one; it is counted that it came again. */
async function firstCopy(truth: Database, dedupeKey: string) {
  const [counted] = await truth.write([statement(FIRST_COPY, [dedupeKey])]);
  const [first] = (counted?.rows ?? []) as readonly { inbox_id: string; trace_id: string }[];
  if (!first) throw new AppError("unavailable", "the first copy of the message is not there", { retryAfterS: 1 });
  return { itemId: first.inbox_id, traceId: first.trace_id };
}

/** Who works on which message. */
function createClaims(parts: InboxParts): Pick<InboxStore, "recover" | "claim" | "renew" | "release" | "free"> {
  const { truth, clock, turns } = parts;
  return {
    recover: (owner) => recover(parts, owner),
    async claim({ id, traceId, isFirst, message }, owner) {
      const now = clock.now();
      const claiming = truth().write([statement(CLAIM, [owner, now + LEASE_MS, now, id], { expect: 1 })]);
      if (isFirst && message) {
        // Its end finds out.
        claiming.catch(() => {});
        return { message, fence: FIRST_FENCE, draft: undefined };
      }
      const [claimed] = await claiming;
      const [row] = (claimed?.rows ?? []) as readonly { message: string; runs: number }[];
      if (!row) throw new AppError("internal", "a claimed message is not there");
      const draft = isFirst ? undefined : await turns.keptDraft(traceId);
      return { message: JSON.parse(row.message), fence: row.runs, draft };
    },
    async renew(itemIds, owner) {
      if (itemIds.length === 0) return;
      const query = tablesOf(truth)
        .updateTable("inbox")
        .set({ lease_until_ms: clock.now() + LEASE_MS })
        .where("id", "in", [...itemIds])
        .where("lease_owner", "=", owner);
      await truth().write([{ query }]);
    },
    async release(itemId, fence, left) {
      await truth().write([statement(RELEASE, [clock.now(), itemId, fence], { expect: 1 }), ...left]);
    },
    async free(itemId, owner) {
      await truth().write([statement(FREE, [clock.now(), itemId, owner])]);
      const [row] = await truth().lookup<{ state: InboxState }>(fixedStatement(ITEM_STATE, [itemId]));
      return row?.state === "waiting";
    },
  };
}

async function recover({ truth, clock, position }: InboxParts, owner: string) {
  // The data folder has one process: whatever was running belongs to one that is gone.
  const free = tablesOf(truth)
    .updateTable("inbox")
    .set({ state: "waiting", lease_owner: null, lease_until_ms: null })
    .where("state", "=", "running")
    .where((row) => row.or([row("lease_owner", "is", null), row("lease_owner", "!=", owner)]));
  const now = clock.now();
  const [, expired] = await truth().write([{ query: free }, statement(EXPIRE, [now, now - STALE_MS])]);
  const rows = await tablesOf(truth)
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
}

/** What messages come to. */
function createEnds({ truth, clock, deliveries: outbox }: InboxParts): Pick<InboxStore, "end" | "merge"> {
  return {
    async end({ itemId, fence, state, cause, outcome, writes = [], deliveries = [], hasDraft }) {
      const now = clock.now();
      const stored = JSON.stringify(storedOutcome(outcome));
      const done =
        fence === 0
          ? statement(END_UNRUN, [state, cause ?? null, stored, now, itemId])
          : statement(END, [state, cause ?? null, stored, now, itemId, fence], { expect: 1 });
      const dropDraft = hasDraft ? [statement(DROP_DRAFT, [outcome.traceId])] : [];
      const results = await truth().write([done, ...writes, ...dropDraft, ...outbox.inserts(deliveries)]);
      return results.slice(1, writes.length + 1);
    },
    async merge(itemId, fence, message, merged) {
      const now = clock.now();
      const ends = merged.map(({ id, outcome }) =>
        statement(END_UNRUN, ["done", "album", JSON.stringify(storedOutcome(outcome)), now, id]),
      );
      await truth().write([statement(MERGE, [JSON.stringify(message), now, itemId, fence], { expect: 1 }), ...ends]);
    },
  };
}

function createLookups({ truth }: InboxParts): Pick<InboxStore, "waitingOf" | "outcome" | "itemCounts"> {
  return {
    async waitingOf(sessionId) {
      const rows = await tablesOf(truth)
        .selectFrom("inbox")
        .select(["id", "trace_id", "message"])
        .where("session_id", "=", sessionId)
        .where("state", "=", "waiting")
        .orderBy("position")
        .execute();
      return rows.map((row) => ({ id: row.id, traceId: row.trace_id, message: JSON.parse(row.message) }));
    },
    async outcome(traceId) {
      const [row] = await truth().lookup<{ outcome: string | null }>(fixedStatement(OUTCOME, [traceId]));
      return { isKnown: row !== undefined, outcome: row?.outcome ? JSON.parse(row.outcome) : undefined };
    },
    itemCounts: async () =>
      countsOf(await tablesOf(truth).selectFrom("inbox").select(STATE_COUNT).groupBy("state").execute()),
  };
}

/** The state a message is stored in. */
export function stateOf({ owner, skipped }: Pick<NewItem, "owner" | "skipped">): InboxState {
  if (skipped !== undefined) return "skipped";
  return owner === undefined ? "waiting" : "running";
}
