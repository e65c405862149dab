import {
  AppError,
  fixedStatement,
  type InboundMessage,
  type TurnOutcome,
  type Write,
  type WriteResult,
} from "@parley/core";
import type { Delivery } from "./delivery.ts";
import { createIntakeStore, FIRST_FENCE, type IntakeStore, type IntakeStoreDeps, LEASE_MS } from "./intake.ts";
import type { OutboxStore } from "./outbox.ts";
import { createStatement, getTables, STATE_COUNT_COLUMNS, toCounts } from "./statement.ts";
import { type StoredOutcome, toStoredOutcome } from "./stored-outcome.ts";
import type { InboxState } from "./tables.ts";
import { DELETE_DRAFT, type Draft, type TurnStore } from "./turns.ts";

/** Maximum age of a message when its turn starts; an older one expires. */
export const STALE_MS = 30 * 60_000;

/** A message that waits for its turn. */
export interface QueueItem {
  readonly id: string;
  readonly traceId: string;
  readonly channelId: string;
  readonly sessionId: string;
  /** When it was received, on the clock that never jumps; before this process began it may be negative. */
  readonly sinceMs: number;
  /** True when no turn of it was started before, so there is no state to resume from. */
  readonly isFirst: boolean;
  /** True for a message that was waiting when the service started. */
  readonly isBacklog?: boolean;
  /** Absent: read when it runs. */
  readonly message?: InboundMessage;
}

export interface ClaimedMessage {
  readonly message: InboundMessage;
  /** Fencing number: each write of the run carries it, and is rejected once another run has started. */
  readonly fence: number;
  readonly draft: Draft | undefined;
}

export interface MessageEnd {
  readonly itemId: string;
  /** Fencing number of the run; 0 where no turn was started. */
  readonly fence: number;
  readonly state: InboxState;
  readonly cause?: string;
  readonly outcome: TurnOutcome;
  /** Changes that belong to it, in order. */
  readonly writes?: readonly Write[];
  readonly deliveries?: readonly Delivery[];
  /** True when a draft of its reply is stored. */
  readonly hasDraft?: boolean;
}

/** A message answered as part of another one. */
export interface MergedMessage {
  readonly id: string;
  readonly outcome: TurnOutcome;
}

export interface WaitingMessage {
  readonly id: string;
  readonly traceId: string;
  readonly message: InboundMessage;
}

/** Inbox messages and their deduplication keys. */
export interface InboxStore extends IntakeStore {
  /** Returns rows still to be processed, in order, and releases those of a gone process. Also returns the number of expired ones. */
  recover(owner: string): Promise<{ readonly waiting: readonly QueueItem[]; readonly expired: number }>;
  /**
   * Claims a message for a run. A cached message that was never started does not wait for the claim to be written:
   * writes of the run come later, and fail with `conflict` if the claim failed.
   */
  claim(item: QueueItem, owner: string): Promise<ClaimedMessage>;
  renewLeases(itemIds: readonly string[], owner: string): Promise<void>;
  /**
   * Releases a row whose claim or end could not be written. True when it waits again, false when it has ended after
   * all; rejects where that cannot be determined.
   */
  releaseLease(itemId: string, owner: string): Promise<boolean>;
  /** Returns a message to its place in the queue for another attempt, and writes what the abandoned run leaves. */
  release(itemId: string, fence: number, left: readonly Write[]): Promise<void>;
  /**
   * Ends a message in one transaction: state, outcome, effects of the reply, and deliveries. Returns the results of
   * `writes`. `conflict`, and nothing written, when another run has the message.
   */
  finish(ending: MessageEnd): Promise<readonly WriteResult[]>;
  /** Merges waiting messages into another one and ends them, in the transaction that stores the merged message. */
  merge(itemId: string, fence: number, message: InboundMessage, merged: readonly MergedMessage[]): Promise<void>;
  /** Changes a waiting message; no-op when it does not wait any more. */
  updateWaiting(itemId: string, message: InboundMessage): Promise<void>;
  /** The messages of a session that wait, in order. */
  listWaiting(sessionId: string): Promise<readonly WaitingMessage[]>;
  findOutcome(traceId: string): Promise<{ readonly isKnown: boolean; readonly outcome: StoredOutcome | undefined }>;
  /** Number of rows by state; used at start, later changes are counted. */
  countMessagesByState(): Promise<Readonly<Partial<Record<InboxState, number>>>>;
  /** Number of waiting messages by channel, on all nodes. */
  countWaitingByChannel(): Promise<ReadonlyMap<string, number>>;
}

const CLAIM = `update inbox set state = 'running', runs = runs + 1, lease_owner = ?, lease_until_ms = ?, updated_ms = ?
  where id = ? and state = 'waiting' and (cast(? as text) is null or holder = ?) returning message, runs`;
// An external failure does not mean that the message crashes the process.
const RELEASE_LEASE = `update inbox set state = 'waiting', lease_owner = null, runs = 0, updated_ms = ?
  where id = ? and state = 'running' and lease_owner = ?`;
const RELEASE = `update inbox set state = 'waiting', lease_owner = null, runs = 0, updated_ms = ?
  where id = ? and runs = ? and state = 'running'`;
const SELECT_STATE = "select state from inbox where id = ?";
// A drafted reply is still delivered.
const EXPIRE = `update inbox set state = 'expired', cause = 'stale', updated_ms = ? where state = 'waiting' and received_ms < ?
  and not exists (select 1 from turn_draft where turn_draft.trace_id = inbox.trace_id)`;
const END = `update inbox set state = ?, cause = ?, outcome = ?, lease_owner = null, updated_ms = ?
  where id = ? and runs = ? and state = 'running'`;
/** Ends a message that was dropped before it started: without a run there is no fencing number to check. */
const END_UNRUN =
  "update inbox set state = ?, cause = ?, outcome = ?, updated_ms = ? where id = ? and state = 'waiting'";
const MERGE = "update inbox set message = ?, updated_ms = ? where id = ? and runs = ? and state = 'running'";
const CHANGE_WAITING = "update inbox set message = ?, updated_ms = ? where id = ? and state = 'waiting'";
const SELECT_OUTCOME = "select outcome from inbox where trace_id = ?";

// Changes nothing; on a server it waits for a transaction that is ending the message.
const GUARD_OPEN = "update inbox set updated_ms = updated_ms where id = ? and outcome is null";

/** Returns the write that undoes its transaction with `conflict` once the message has ended. */
export const createOpenMessageGuard = (itemId: string): Write => createStatement(GUARD_OPEN, [itemId], { expect: 1 });

export interface InboxStoreDeps extends IntakeStoreDeps {
  readonly deliveries: Pick<OutboxStore, "createInserts">;
  readonly turns: Pick<TurnStore, "loadDraft">;
}

export function createInboxStore(deps: InboxStoreDeps): InboxStore {
  return { ...createIntakeStore(deps), ...createClaims(deps), ...createEnds(deps), ...createLookups(deps) };
}

/** Claims and leases of messages. */
function createClaims(
  deps: InboxStoreDeps,
): Pick<InboxStore, "recover" | "claim" | "renewLeases" | "release" | "releaseLease"> {
  const { main, clock, turns, node } = deps;
  return {
    recover: (owner) => recover(deps, owner),
    async claim({ id, traceId, isFirst, message }, owner) {
      const now = clock.now();
      const holder = node?.() ?? null;
      const claiming = main().write([
        createStatement(CLAIM, [owner, now + LEASE_MS, now, id, holder, holder], { expect: 1 }),
      ]);
      if (isFirst && message) {
        // The end of the turn detects a lost claim.
        claiming.catch(() => {});
        return { message, fence: FIRST_FENCE, draft: undefined };
      }
      const [claimed] = await claiming;
      const [row] = (claimed?.rows ?? []) as readonly { message: string; runs: number }[];
      if (!row) throw new AppError("internal", "a claimed message is not there");
      const draft = isFirst ? undefined : await turns.loadDraft(traceId);
      return { message: JSON.parse(row.message), fence: row.runs, draft };
    },
    async renewLeases(itemIds, owner) {
      if (itemIds.length === 0) return;
      const query = getTables(main)
        .updateTable("inbox")
        .set({ lease_until_ms: clock.now() + LEASE_MS })
        .where("id", "in", [...itemIds])
        .where("lease_owner", "=", owner);
      await main().write([{ query }]);
    },
    async release(itemId, fence, left) {
      await main().write([createStatement(RELEASE, [clock.now(), itemId, fence], { expect: 1 }), ...left]);
    },
    async releaseLease(itemId, owner) {
      await main().write([createStatement(RELEASE_LEASE, [clock.now(), itemId, owner])]);
      const [row] = await main().lookup<{ state: InboxState }>(fixedStatement(SELECT_STATE, [itemId]));
      return row?.state === "waiting";
    },
  };
}

async function recover({ main, clock, position }: InboxStoreDeps, owner: string) {
  // The data folder has a single process, so running rows belong to an ended one.
  const free = getTables(main)
    .updateTable("inbox")
    .set({ state: "waiting", lease_owner: null, lease_until_ms: null })
    .where("state", "=", "running")
    .where((row) => row.or([row("lease_owner", "is", null), row("lease_owner", "!=", owner)]));
  const now = clock.now();
  const [, expired] = await main().write([{ query: free }, createStatement(EXPIRE, [now, now - STALE_MS])]);
  const rows = await getTables(main)
    .selectFrom("inbox")
    .select(["id", "position", "trace_id", "channel_id", "session_id", "received_ms"])
    .where("state", "=", "waiting")
    .orderBy("position")
    .execute();
  position.advancePast(rows.at(-1)?.position);
  const waiting = rows.map((row) => ({
    id: row.id,
    traceId: row.trace_id,
    channelId: row.channel_id,
    sessionId: row.session_id,
    // The age needs the wall clock, as the time was stored by another process.
    sinceMs: clock.monotonic() - Math.max(0, now - Number(row.received_ms)),
    isFirst: false,
    isBacklog: true,
  }));
  return { waiting, expired: expired?.changes ?? 0 };
}

/** Ends and changes of messages. */
function createEnds(deps: InboxStoreDeps): Pick<InboxStore, "finish" | "merge" | "updateWaiting"> {
  const { main, clock, deliveries: outbox } = deps;
  return {
    async updateWaiting(itemId, message) {
      await main().write([createStatement(CHANGE_WAITING, [JSON.stringify(message), clock.now(), itemId])]);
    },
    async finish({ itemId, fence, state, cause, outcome, writes = [], deliveries = [], hasDraft }) {
      const now = clock.now();
      const stored = JSON.stringify(toStoredOutcome(outcome));
      const done =
        fence === 0
          ? createStatement(END_UNRUN, [state, cause ?? null, stored, now, itemId])
          : createStatement(END, [state, cause ?? null, stored, now, itemId, fence], { expect: 1 });
      const dropDraft = hasDraft ? [createStatement(DELETE_DRAFT, [outcome.traceId])] : [];
      const results = await main().write([done, ...writes, ...dropDraft, ...outbox.createInserts(deliveries)]);
      return results.slice(1, writes.length + 1);
    },
    async merge(itemId, fence, message, merged) {
      const now = clock.now();
      const ends = merged.map(({ id, outcome }) =>
        createStatement(END_UNRUN, ["done", "album", JSON.stringify(toStoredOutcome(outcome)), now, id]),
      );
      await main().write([
        createStatement(MERGE, [JSON.stringify(message), now, itemId, fence], { expect: 1 }),
        ...ends,
      ]);
    },
  };
}

function createLookups({
  main,
}: InboxStoreDeps): Pick<InboxStore, "listWaiting" | "findOutcome" | "countMessagesByState" | "countWaitingByChannel"> {
  return {
    async listWaiting(sessionId) {
      const rows = await getTables(main)
        .selectFrom("inbox")
        .select(["id", "trace_id", "message"])
        .where("session_id", "=", sessionId)
        .where("state", "=", "waiting")
        .orderBy("position")
        .execute();
      return rows.map((row) => ({ id: row.id, traceId: row.trace_id, message: JSON.parse(row.message) }));
    },
    async findOutcome(traceId) {
      const [row] = await main().lookup<{ outcome: string | null }>(fixedStatement(SELECT_OUTCOME, [traceId]));
      return { isKnown: row !== undefined, outcome: row?.outcome ? JSON.parse(row.outcome) : undefined };
    },
    countMessagesByState: async () =>
      toCounts(await getTables(main).selectFrom("inbox").select(STATE_COUNT_COLUMNS).groupBy("state").execute()),
    async countWaitingByChannel() {
      const rows = await getTables(main)
        .selectFrom("inbox")
        .where("state", "=", "waiting")
        .select(["channel_id", (select) => select.fn.countAll<number>().as("count")])
        .groupBy("channel_id")
        .execute();
      return new Map(rows.map(({ channel_id, count }) => [channel_id, Number(count)]));
    },
  };
}
