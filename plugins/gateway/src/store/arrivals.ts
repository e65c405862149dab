import {
  AppError,
  type Database,
  fixedStatement,
  type InboundMessage,
  type Write,
  type WriteResult,
} from "@parley/core";
import type { InboxState } from "../tables.ts";
import { CLAIM_HOME, homeOf } from "./homes.ts";
import { type Positions, type StoreParts, statement } from "./statement.ts";

export interface NewItem {
  readonly id: string;
  readonly traceId: string;
  readonly message: InboundMessage;
  /** Undefined: copies cannot be told apart. */
  readonly dedupeKey: string | undefined;
  /** For how long one with the same key is a copy. */
  readonly copiesMs: number;
  /** May be used once in ten minutes; only together with a key. */
  readonly nonceKey?: string | undefined;
  /** Set when its turn begins at once: the row is claimed as it is stored. */
  readonly owner?: string | undefined;
  /** Set when it is only accounted for: why no turn of it runs. */
  readonly skipped?: string | undefined;
}

export interface StoredItem {
  readonly itemId: string;
  readonly traceId: string;
  /** Of several nodes the one that has its home. */
  readonly node?: string;
}

/** How messages come in. */
export interface ArrivalStore {
  /**
   * One transaction: key, nonce and row. Gives the ids of the first copy when it is not this one; `unauthorized` when the
   * nonce was used by another event.
   */
  insert(item: NewItem): Promise<StoredItem>;
}

export interface ArrivalParts extends StoreParts {
  readonly position: Positions;
  /** Of this process, where several work on the database. */
  readonly node: (() => string) | undefined;
}

/** How long a turn that was begun belongs to whoever began it, unless it is renewed. */
export const LEASE_MS = 15_000;
/** The fencing number of a turn that begins as its message is stored. */
export const FIRST_FENCE = 1;
const INBOX = `insert into inbox (id, position, trace_id, channel_id, session_id, message, received_ms, updated_ms, state, cause,
  runs, lease_owner, lease_until_ms) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** In nobody's memory yet; its place is given by the database, whose order no two nodes see in different ways. */
const INBOX_OF_NODES = `insert into inbox (id, position, trace_id, channel_id, session_id, message, received_ms, updated_ms, state,
  cause, home) values (?, nextval('gateway_positions'), ?, ?, ?, ?, ?, ?, ?, ?, ?)
  returning (select node_id from gateway_homes where gateway_homes.home = inbox.home) as node_id`;
// Taken only when it is free, or was used long ago. Of copies that come together only the one that got the key is stored.
const TAKE_KEY = `insert into dedupe (key, inbox_id, trace_id, first_ms, hits) values (?, ?, ?, ?, 0)
  on conflict (key) do update set inbox_id = excluded.inbox_id, trace_id = excluded.trace_id, first_ms = excluded.first_ms
  where dedupe.first_ms < ?`;
const NONCE_MS = 600_000;
const FIRST_COPY = "update dedupe set hits = hits + 1 where key = ? returning inbox_id, trace_id";
const KEY = "select key from dedupe where key = ?";

export function createArrivals(parts: ArrivalParts): ArrivalStore {
  const { truth, clock } = parts;
  return {
    async insert(item) {
      const { id, traceId, dedupeKey, nonceKey, copiesMs } = item;
      const now = clock.now();
      const [first, ...others] = rowsOf(parts, item, now);
      if (dedupeKey === undefined) {
        const stored = await truth().write([first, ...others]);
        return { itemId: id, traceId, ...nodeIn(parts, stored) };
      }
      const nonce = [nonceKey, id, traceId, now, now - NONCE_MS];
      const results = await truth()
        .write([
          statement(TAKE_KEY, [dedupeKey, id, traceId, now, now - copiesMs]),
          ...(nonceKey === undefined ? [] : [statement(TAKE_KEY, nonce, { ifChanged: true, expect: 1 })]),
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
function rowsOf({ position, node }: ArrivalParts, item: NewItem, now: number): readonly [Write, ...Write[]] {
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
function nodeIn({ node }: ArrivalParts, results: readonly WriteResult[]): Pick<StoredItem, "node"> {
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

/** The state a message is stored in. */
export function stateOf({ owner, skipped }: Pick<NewItem, "owner" | "skipped">): InboxState {
  if (skipped !== undefined) return "skipped";
  return owner === undefined ? "waiting" : "running";
}
