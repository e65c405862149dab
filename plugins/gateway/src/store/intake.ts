import {
  AppError,
  type Database,
  fixedStatement,
  type InboundMessage,
  senderAddress,
  type Write,
  type WriteResult,
} from "@parley/core";
import { gatewayTexts } from "../texts.ts";
import { createPressWrite } from "./elements.ts";
import { CLAIM_PARTITION, toPartition } from "./nodes/partitions.ts";
import { createStatement, type PositionCounter, type StoreDeps } from "./statement.ts";
import { createStop } from "./stopped-parts.ts";
import type { InboxState } from "./tables.ts";

export interface NewInboxMessage {
  readonly id: string;
  readonly traceId: string;
  readonly message: InboundMessage;
  /** Deduplication key; undefined when duplicates cannot be recognized. */
  readonly dedupeKey: string | undefined;
  /** Time in milliseconds during which a message with the same key is a duplicate. */
  readonly dedupeTtlMs: number;
  /** Nonce that is accepted once in ten minutes. It is set only together with a deduplication key. */
  readonly nonceKey?: string | undefined;
  /** Id of this process when the turn starts at once; the row is then stored as claimed. */
  readonly owner?: string | undefined;
  /** The reason why no turn runs, when the message is only recorded. */
  readonly skipped?: string | undefined;
}

/** Messages that are stored together or not at all. */
export type NewInboxMessages = readonly [NewInboxMessage, ...NewInboxMessage[]];

export interface InsertedMessage {
  readonly itemId: string;
  readonly traceId: string;
  /** Owner of the message's partition when several nodes share the database. */
  readonly node?: string;
}

/** Stores inbound messages. */
export interface IntakeStore {
  /**
   * Stores the key, the nonce and the row of each message in one transaction, and stops the answers that are being sent
   * to their senders. Returns the ids of the first copies for duplicates. Rejects with `unauthorized` when another event used the nonce, and with `conflict`
   * for the press of an element that was pressed before. Several messages belong to one session,
   * and the key of the first one identifies duplicates.
   */
  insert(items: NewInboxMessages): Promise<readonly InsertedMessage[]>;
}

export interface IntakeStoreDeps extends StoreDeps {
  readonly position: PositionCounter;
  /** Returns the id of this process; set when several processes share the database. */
  readonly node: (() => string) | undefined;
}

/** Lease of a started turn in milliseconds. It is renewed while the turn runs. */
export const LEASE_MS = 15_000;
/** Fencing number of a turn that starts when its message is stored. */
export const FIRST_FENCE = 1;
const INSERT = `insert into inbox (id, position, trace_id, channel_id, session_id, message, received_ms, updated_ms, state, cause,
  runs, lease_owner, lease_until_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** Inserts a message that no node has queued; its position is from a database sequence, the same for all nodes. */
const INSERT_CLUSTERED = `insert into inbox (id, position, trace_id, channel_id, session_id, message, received_ms, updated_ms, state,
  cause, home) values (?, nextval('gateway_positions'), ?, ?, ?, ?, ?, ?, ?, ?, ?)
  returning (select node_id from gateway_homes where gateway_homes.home = inbox.home) as node_id`;
// Succeeds only for an unused or expired key, so that only one of concurrent duplicates is stored.
const TAKE_KEY = `insert into dedupe (key, inbox_id, trace_id, first_ms, hits) values (?, ?, ?, ?, 0)
  on conflict (key) do update set inbox_id = excluded.inbox_id, trace_id = excluded.trace_id, first_ms = excluded.first_ms
  where dedupe.first_ms < ?`;
const NONCE_MS = 600_000;
const FIRST_COPY = "update dedupe set hits = hits + 1 where key = ? returning inbox_id, trace_id";
const KEY = "select key from dedupe where key = ?";

export function createIntakeStore(deps: IntakeStoreDeps): IntakeStore {
  const { main, clock } = deps;
  return {
    async insert(items) {
      const [{ dedupeKey, nonceKey, message }] = items;
      const now = clock.now();
      const rows = items.flatMap((item, at) => [
        ...createPressClaim(item, now),
        ...createKeyWrites(item, now, at === 0),
        createRowWrite(deps, item, now),
      ]);
      const stops = items.flatMap(({ id, message, skipped }) =>
        skipped === undefined ? createStop(id, message, now) : [],
      );
      const results = await main()
        .write([...rows, ...createPartitionClaim(deps, items[0]), ...stops])
        .catch((error) => rethrowUsedNonce(main(), error, nonceKey));
      const isTaken = results[0]?.changes !== 1;
      if (message.press && isTaken) return findFirstPress(main(), items);
      if (dedupeKey !== undefined && isTaken) return findFirstCopies(main(), items);
      const node = findOwner(deps, results.slice(rows.length - 1));
      return items.map(({ id, traceId }) => ({ itemId: id, traceId, ...node }));
    },
  };
}

/** Creates the write that takes the pressed element; when it was pressed before, later writes are skipped. */
function createPressClaim({ message }: NewInboxMessage, now: number): readonly Write[] {
  const { press } = message;
  return press ? [createPressWrite(press.elementId, press.itemId, senderAddress(message), now)] : [];
}

/** Creates the writes for a message's keys; if the key of the first message is in use, later writes are skipped. */
function createKeyWrites(
  { id, traceId, dedupeKey, nonceKey, dedupeTtlMs, message }: NewInboxMessage,
  now: number,
  isFirst: boolean,
): Write[] {
  if (dedupeKey === undefined) return [];
  const requirement = { ifChanged: true, expect: 1 } as const;
  const key = createStatement(
    TAKE_KEY,
    [dedupeKey, id, traceId, now, now - dedupeTtlMs],
    isFirst && !message.press ? {} : requirement,
  );
  if (nonceKey === undefined) return [key];
  return [key, createStatement(TAKE_KEY, [nonceKey, id, traceId, now, now - NONCE_MS], requirement)];
}

function createRowWrite({ position, node }: IntakeStoreDeps, item: NewInboxMessage, now: number): Write {
  const { id, traceId, message, owner, skipped, dedupeKey } = item;
  const state = getInitialState({ owner, skipped });
  const { channelId, sessionId } = message;
  const values = [traceId, channelId, sessionId, JSON.stringify(message), now, now, state, skipped ?? null];
  const afterKey = dedupeKey === undefined && !message.press ? {} : ({ ifChanged: true } as const);
  if (!node) {
    const lease = state === "running" ? [FIRST_FENCE, owner, now + LEASE_MS] : [0, null, null];
    return createStatement(INSERT, [id, position.next(), ...values, ...lease], afterKey);
  }
  return createStatement(INSERT_CLUSTERED, [id, ...values, toPartition(sessionId)], afterKey);
}

/** Creates the write that claims the partition of a message for this node, when several nodes share the database. */
function createPartitionClaim({ node }: IntakeStoreDeps, { message }: NewInboxMessage): readonly Write[] {
  // `returning` names an existing owner. A claim that another node commits at the same time is not awaited.
  return node ? [createStatement(CLAIM_PARTITION, [toPartition(message.sessionId), node()], { ifChanged: true })] : [];
}

/** Returns the owner of the message's partition from its row and the claim; an empty object when it is unknown. */
function findOwner({ node }: IntakeStoreDeps, results: readonly WriteResult[]): Pick<InsertedMessage, "node"> {
  if (!node) return {};
  const [stored, claimed] = results;
  const [row] = (stored?.rows ?? []) as readonly { node_id: string | null }[];
  const found = row?.node_id ?? (claimed?.changes === 1 ? node() : undefined);
  return found === undefined ? {} : { node: found };
}

/** Rethrows a conflict as `unauthorized` when another event has used the nonce. */
async function rethrowUsedNonce(main: Database, error: unknown, nonceKey: string | undefined): Promise<never> {
  if (nonceKey === undefined || !AppError.is(error) || error.code !== "conflict") throw error;
  const [used] = await main.lookup<{ key: string }>(fixedStatement(KEY, [nonceKey]));
  if (!used) throw error;
  throw new AppError("unauthorized", "authentication failed", { cause: "replay_detected" });
}

/** Returns the ids of the first copies and counts the duplicates. Throws when no first copy is found. */
async function findFirstCopies(main: Database, items: readonly NewInboxMessage[]): Promise<readonly InsertedMessage[]> {
  const found = await countCopies(main, items);
  if (found.length === 0) {
    throw new AppError("unavailable", "the first copy of the message is not there", { retryAfterS: 1 });
  }
  return found;
}

/** Returns the ids of the press of which this one is a copy; throws `conflict` for another press. */
async function findFirstPress(main: Database, items: readonly NewInboxMessage[]): Promise<readonly InsertedMessage[]> {
  const found = await countCopies(main, items);
  if (found.length === 0) throw gatewayTexts.error("conflict", "press_answered");
  return found;
}

async function countCopies(main: Database, items: readonly NewInboxMessage[]): Promise<readonly InsertedMessage[]> {
  const withKey = items.filter(({ dedupeKey }) => dedupeKey !== undefined);
  const counted = await main.write(withKey.map(({ dedupeKey }) => createStatement(FIRST_COPY, [dedupeKey])));
  const found = counted.flatMap(({ rows }) => rows as readonly { inbox_id: string; trace_id: string }[]);
  return found.map(({ inbox_id, trace_id }) => ({ itemId: inbox_id, traceId: trace_id }));
}

/** Returns the state in which a message is stored. */
export function getInitialState({ owner, skipped }: Pick<NewInboxMessage, "owner" | "skipped">): InboxState {
  if (skipped !== undefined) return "skipped";
  return owner === undefined ? "waiting" : "running";
}
