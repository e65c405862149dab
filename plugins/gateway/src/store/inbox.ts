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
  /** Time of receipt on the monotonic clock; negative when it was received before this process began. */
  readonly sinceMs: number;
  /** True when no turn of the message was started before, so that there is no state to resume from. */
  readonly isFirst: boolean;
  /** True for a message that was waiting when the service started. */
  readonly isBacklog?: boolean;
  /** The message; absent when it should be read only when its turn starts. */
  readonly message?: InboundMessage;
}

export interface ClaimedMessage {
  readonly message: InboundMessage;
  /** Fencing number: every write of the run carries it, and is rejected when another run has started. */
  readonly fence: number;
  readonly draft: Draft | undefined;
}

export interface MessageEnd {
  readonly itemId: string;
  /** Fencing number of the run; 0 when no turn was started. */
  readonly fence: number;
  readonly state: InboxState;
  readonly cause?: string;
  readonly outcome: TurnOutcome;
  /** Changes that are committed with the end, in order. */
  readonly writes?: readonly Write[];
  readonly deliveries?: readonly Delivery[];
  /** True when a draft of its reply is stored. */
  readonly hasDraft?: boolean;
  /** Waiting messages that end with this one, because they share its answer. */
  readonly merged?: readonly MergedMessage[];
}

/** A message that is answered as part of another one. */
export interface MergedMessage {
  readonly id: string;
  readonly cause: "album" | "merged" | "superseded";
  readonly outcome: TurnOutcome;
}

export interface WaitingMessage {
  readonly id: string;
  readonly traceId: string;
  readonly message: InboundMessage;
}

/** Stores inbox messages and their deduplication keys. */
export interface InboxStore extends IntakeStore {
  /** Returns unfinished messages in order, after releasing those of an ended process, and how many expired. */
  recover(owner: string): Promise<{ readonly waiting: readonly QueueItem[]; readonly expired: number }>;
  /**
   * Claims a message for a run. For a cached message that was never started, the claim is returned before it is
   * written: the run's own writes come later, and reject with `conflict` if the claim failed.
   */
  claim(item: QueueItem, owner: string): Promise<ClaimedMessage>;
  renewLeases(itemIds: readonly string[], owner: string): Promise<void>;
  /**
   * Releases a message whose claim or end could not be written. Returns true when it waits again, and false when it has
   * ended after all. Rejects when that cannot be determined.
   */
  releaseLease(itemId: string, owner: string): Promise<boolean>;
  /** Returns a message to its place in the queue for another attempt, and stores the `writes` of the abandoned run. */
  release(itemId: string, fence: number, writes: readonly Write[]): Promise<void>;
  /**
   * Ends a message in one transaction: state, outcome, effects of the reply, and deliveries. Returns the results of
   * `writes`. Rejects with `conflict`, without writing, when another run has the message; with fence 0 it ends only a waiting one.
   */
  finish(ending: MessageEnd): Promise<readonly WriteResult[]>;
  /** Merges waiting messages into another message and ends them, in one transaction. */
  merge(itemId: string, fence: number, message: InboundMessage, merged: readonly MergedMessage[]): Promise<void>;
  /** Changes a waiting message. Does nothing when it is no longer waiting. */
  updateWaiting(itemId: string, message: InboundMessage): Promise<void>;
  /** Returns the waiting messages of a session in order. */
  listWaiting(sessionId: string): Promise<readonly WaitingMessage[]>;
  findOutcome(traceId: string): Promise<{ readonly isKnown: boolean; readonly outcome: StoredOutcome | undefined }>;
  /** Returns the number of messages by state. It is read at the start; later changes are counted. */
  countMessagesByState(): Promise<Readonly<Partial<Record<InboxState, number>>>>;
  /** Returns the number of waiting messages by channel, on all nodes. */
  countWaitingByChannel(): Promise<ReadonlyMap<string, number>>;
}

const CLAIM = `update inbox set state = 'running', runs = runs + 1, lease_owner = ?, lease_until_ms = ?, updated_ms = ?
  where id = ? and state = 'waiting' and (cast(? as text) is null or holder = ?) returning message, runs`;
// `runs` starts again, because a failure of the storage does not mean that this message crashes the process.
const RELEASE_LEASE = `update inbox set state = 'waiting', lease_owner = null, runs = 0, updated_ms = ?
  where id = ? and state = 'running' and lease_owner = ?`;
const RELEASE = `update inbox set state = 'waiting', lease_owner = null, runs = 0, updated_ms = ?
  where id = ? and runs = ? and state = 'running'`;
const SELECT_STATE = "select state from inbox where id = ?";
// A reply whose draft is stored is still delivered.
const EXPIRE = `update inbox set state = 'expired', cause = 'stale', updated_ms = ? where state = 'waiting' and received_ms < ?
  and not exists (select 1 from turn_draft where turn_draft.trace_id = inbox.trace_id)`;
const END = `update inbox set state = ?, cause = ?, outcome = ?, lease_owner = null, updated_ms = ?
  where id = ? and runs = ? and state = 'running'`;
/** Ends a message that was dropped before its turn started. Without a run there is no fencing number to check. */
const END_UNRUN =
  "update inbox set state = ?, cause = ?, outcome = ?, updated_ms = ? where id = ? and state = 'waiting'";
const MERGE = "update inbox set message = ?, updated_ms = ? where id = ? and runs = ? and state = 'running'";
const CHANGE_WAITING = "update inbox set message = ?, updated_ms = ? where id = ? and state = 'waiting'";
const SELECT_OUTCOME = "select outcome from inbox where trace_id = ?";

// Changes nothing. On a database server it waits for a transaction that is just ending the message.
const GUARD_OPEN = "update inbox set updated_ms = updated_ms where id = ? and outcome is null";

/** Creates a write that makes its transaction fail with `conflict` once the message has ended. */
export const createOpenMessageGuard = (itemId: string): Write => createStatement(GUARD_OPEN, [itemId], { expect: 1 });

export interface InboxStoreDeps extends IntakeStoreDeps {
  readonly deliveries: Pick<OutboxStore, "createInserts">;
  readonly turns: Pick<TurnStore, "loadDraft">;
}

export function createInboxStore(deps: InboxStoreDeps): InboxStore {
  return { ...createIntakeStore(deps), ...createClaims(deps), ...createEnds(deps), ...createLookups(deps) };
}

/** Creates the claims and leases of messages. */
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
        // If the claim is lost, the end of the turn detects that.
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
    async release(itemId, fence, writes) {
      await main().write([createStatement(RELEASE, [clock.now(), itemId, fence], { expect: 1 }), ...writes]);
    },
    async releaseLease(itemId, owner) {
      await main().write([createStatement(RELEASE_LEASE, [clock.now(), itemId, owner])]);
      const [row] = await main().lookup<{ state: InboxState }>(fixedStatement(SELECT_STATE, [itemId]));
      return row?.state === "waiting";
    },
  };
}

async function recover({ main, clock, position }: InboxStoreDeps, owner: string) {
  // Only one process works on a data folder, so running messages belong to an ended process.
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
    // The age is measured on the wall clock, because another process stored the time.
    sinceMs: clock.monotonic() - Math.max(0, now - Number(row.received_ms)),
    isFirst: false,
    isBacklog: true,
  }));
  return { waiting, expired: expired?.changes ?? 0 };
}

/** Creates the functions that end and change messages. */
function createEnds(deps: InboxStoreDeps): Pick<InboxStore, "finish" | "merge" | "updateWaiting"> {
  const { main, clock, deliveries: outbox } = deps;
  return {
    async updateWaiting(itemId, message) {
      await main().write([createStatement(CHANGE_WAITING, [JSON.stringify(message), clock.now(), itemId])]);
    },
    async finish({ itemId, fence, state, cause, outcome, writes = [], deliveries = [], hasDraft, merged = [] }) {
      const now = clock.now();
      const stored = JSON.stringify(toStoredOutcome(outcome));
      const done =
        fence === 0
          ? createStatement(END_UNRUN, [state, cause ?? null, stored, now, itemId])
          : createStatement(END, [state, cause ?? null, stored, now, itemId, fence], { expect: 1 });
      const dropDraft = hasDraft ? [createStatement(DELETE_DRAFT, [outcome.traceId])] : [];
      const ends = merged.map((one) => createMergedEnd(one, now));
      const results = await main().write([done, ...writes, ...dropDraft, ...ends, ...outbox.createInserts(deliveries)]);
      return results.slice(1, writes.length + 1);
    },
    async merge(itemId, fence, message, merged) {
      const now = clock.now();
      const ends = merged.map((one) => createMergedEnd(one, now));
      await main().write([
        createStatement(MERGE, [JSON.stringify(message), now, itemId, fence], { expect: 1 }),
        ...ends,
      ]);
    },
  };
}

function createMergedEnd({ id, cause, outcome }: MergedMessage, now: number): Write {
  return createStatement(END_UNRUN, ["done", cause, JSON.stringify(toStoredOutcome(outcome)), now, id]);
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
