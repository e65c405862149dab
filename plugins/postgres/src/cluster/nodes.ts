import { setTimeout as wait } from "node:timers/promises";
import { type Clock, type LiveEvent, type Logger, type NodeStatus, type Nodes, notFound } from "@parley/core";
import pg from "pg";
import { getSqlState, toAppError, toReason } from "../connection/failures.ts";
import { openLiveEventBridge } from "./live-event-bridge.ts";
import { SINGLE_NODE_ID, toConnectionName } from "./membership.ts";

const HEARTBEAT_INTERVAL_MS = 1_500;
/** Time after which a node counts as gone: its row has not changed, and this node has watched without interruption. */
const DEAD_AFTER_MS = 8_000;
/** Time without a heartbeat after which this process sends nothing, before others can count it as gone. */
const SELF_FENCE_AFTER_MS = 6_500;
/** Maximum age of the row of a node that may get new partitions. */
const ELIGIBLE_WITHIN_MS = 3_500;
/** PostgreSQL's code for a lock that was not acquired in time. */
const LOCK_TIMEOUT_STATE = "55P03";
const RETENTION = "7 days";
const PRUNE_EVERY_MS = 60 * 60_000;
/** Timeouts of the heartbeat, so that it does not wait for locks of a suspended process. */
const HEARTBEAT_SETTINGS = "set lock_timeout = '1s'; set statement_timeout = '4s'";

const WRITE_HEARTBEAT = `update processes set beat = beat + 1, seen_at = clock_timestamp(), address = $2, lag_ms = $3
  where id = $1 and gone_at is null returning draining`;
const READ_PEERS = `select id, beat::text as beat, gone_at is not null as is_gone, ready and not draining as takes from processes
  where id not in ($1, '${SINGLE_NODE_ID}')`;
const MARK_GONE =
  "update processes set gone_at = clock_timestamp() where id = $1 and beat = $2::bigint and gone_at is null";
const MARK_READY = "update processes set ready = true where id = $1";
const MARK_LEFT = "update processes set gone_at = clock_timestamp() where id = $1";
/** Ends the connections of a node, because a node suspended in a transaction holds locks that others need. */
const TERMINATE_BACKENDS = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1";
const PRUNE_NODES = `delete from processes where gone_at < now() - interval '${RETENTION}'`;
const LIST_NODES = `select id, version, joined_at, seen_at, address, lag_ms, draining from processes
  where gone_at is null and id <> '${SINGLE_NODE_ID}' order by joined_at, id`;
const SET_DRAINING = `update processes set draining = $2 where id = $1 and gone_at is null and id <> '${SINGLE_NODE_ID}'`;

export interface OpenNodes extends Nodes {
  /** Subscribes to live events of other nodes, without those during an interruption. Returns the unsubscribe function. */
  onEvent(listener: (event: LiveEvent) => void): () => void;
  /** Sends an event to the other nodes. */
  publish(event: LiveEvent): void;
  /** Marks this process as ready: other nodes may hand partitions over. */
  markReady(): Promise<void>;
  /** Called when a commit of this process was rejected. */
  onCommitRejected(): void;
  /** Ends the membership: this process writes nothing more, and its partitions become free. */
  close(): Promise<void>;
}

export interface NodesDeps {
  readonly id: string;
  readonly options: pg.ClientConfig;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Logger;
  /** Returns the address at which this process listens; empty if it does not listen. */
  readonly address: () => string;
  /** Returns the delay of the last signal in milliseconds. */
  readonly lagMs: () => number;
}

interface PeerRow {
  readonly id: string;
  readonly beat: string;
  readonly is_gone: number;
  readonly takes: number;
}

interface NodeRow {
  readonly id: string;
  readonly version: string;
  readonly joined_at: unknown;
  readonly seen_at: unknown;
  readonly address: string;
  readonly lag_ms: string;
  readonly draining: number;
}

/**
 * Cluster membership: each node writes a heartbeat every second or two on its own connection and watches the others.
 * There are no other leases: conversations and channels belong to a node by its id until it leaves or another node
 * marks it as gone. Every commit reads that mark in the node's row, so the server rejects late writes of a gone node.
 * Time is the observer's monotonic clock and restarts after a server outage, so that an outage marks nobody as gone.
 */
export function openNodes({ id, options, clock, log, address, lagMs }: NodesDeps): OpenNodes {
  const gone = new Set<string>();
  const goneListeners = new Set<(ids: readonly string[]) => void>();
  const drainingListeners = new Set<() => void>();
  const lostListeners = new Set<() => void>();
  const eventListeners = new Set<(event: LiveEvent) => void>();
  const bridge = openLiveEventBridge({
    node: id,
    options,
    log,
    onEvent(event) {
      for (const listener of eventListeners) listener(event);
    },
  });
  const closing = new AbortController();
  let watched = new Map<string, { readonly beat: string; readonly sinceMs: number }>();
  let countedMs = clock.monotonic();
  let prunedMs = clock.monotonic();
  let isLost = false;
  let isDraining = false;
  let eligibleNodes: readonly string[] = [];
  let client: pg.Client | undefined;

  const onRejected = () => {
    if (isLost || closing.signal.aborted) return;
    isLost = true;
    log.error("the other nodes considered this one offline: it restarts");
    for (const listener of lostListeners) listener();
  };
  const setDraining = (isWanted: boolean) => {
    const was = isDraining;
    isDraining = isWanted && eligibleNodes.length > 0;
    if (isDraining !== was) for (const listener of drainingListeners) listener();
  };
  const connect = async () => {
    if (client) return client;
    const opened = new pg.Client({ ...options, application_name: "parley nodes", query_timeout: 5_000 });
    const forget = () => {
      if (client === opened) client = undefined;
    };
    opened.on("end", forget);
    opened.on("error", (error) => {
      forget();
      log.debug("the connection of the nodes has ended", { reason: toReason(error) });
    });
    await opened.connect();
    await opened.query(HEARTBEAT_SETTINGS);
    // A pause of the observer does not count against the other nodes.
    watched = new Map();
    client = opened;
    return opened;
  };
  const query = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
    try {
      return await (await connect()).query<Row>(text, [...values]);
    } catch (error) {
      throw toAppError(error);
    }
  };
  const endSilentPeers = async (server: pg.Client, others: readonly PeerRow[]) => {
    const now = clock.monotonic();
    const before = watched;
    watched = new Map();
    for (const { id: other, beat, is_gone } of others) {
      if (is_gone) continue;
      const last = before.get(other);
      const sinceMs = last?.beat === beat ? last.sinceMs : now;
      watched.set(other, { beat, sinceMs });
      if (now - sinceMs < DEAD_AFTER_MS) continue;
      await server.query(TERMINATE_BACKENDS, [toConnectionName(other)]);
      if (await markGone(server, other, beat))
        log.warn("a node sends no heartbeats: its work is taken over", { node: other });
    }
  };
  const notifyGone = (others: readonly PeerRow[]) => {
    const fresh = others.filter((other) => other.is_gone && !gone.has(other.id));
    for (const other of fresh) gone.add(other.id);
    if (fresh.length > 0) for (const listener of goneListeners) listener([...gone]);
  };
  const sendHeartbeat = async () => {
    const server = await connect();
    const now = clock.monotonic();
    const [own] = (await server.query<Pick<NodeRow, "draining">>(WRITE_HEARTBEAT, [id, address(), Math.round(lagMs())]))
      .rows;
    if (!own) return onRejected();
    countedMs = now;
    await endSilentPeers(server, (await server.query<PeerRow>(READ_PEERS, [id])).rows);
    const { rows: others } = await server.query<PeerRow>(READ_PEERS, [id]);
    const isRecentlySeen = (other: string) => now - (watched.get(other)?.sinceMs ?? now) < ELIGIBLE_WITHIN_MS;
    eligibleNodes = others.filter((one) => !one.is_gone && one.takes && isRecentlySeen(one.id)).map((one) => one.id);
    setDraining(Boolean(own.draining));
    notifyGone(others);
    if (now - prunedMs < PRUNE_EVERY_MS) return;
    prunedMs = now;
    await server.query(PRUNE_NODES);
  };
  const run = async () => {
    while (!closing.signal.aborted && !isLost) {
      await sendHeartbeat().catch((error) => {
        log.debug("a heartbeat could not be written", { reason: toReason(error) });
        client?.end().catch(() => {});
        client = undefined;
      });
      await wait(HEARTBEAT_INTERVAL_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    id,
    isCounted: () => !isLost && clock.monotonic() - countedMs < SELF_FENCE_AFTER_MS,
    list: async () => (await query<NodeRow>(LIST_NODES)).rows.map(toNodeStatus),
    takers: () => eligibleNodes,
    async drain(other, isWanted) {
      const { rowCount } = await query(SET_DRAINING, [other, isWanted]);
      if (rowCount !== 1) throw notFound("node", other);
      if (other === id) setDraining(isWanted);
    },
    isDraining: () => isDraining,
    onDraining(listener) {
      drainingListeners.add(listener);
      return () => void drainingListeners.delete(listener);
    },
    onGone(listener) {
      goneListeners.add(listener);
      if (gone.size > 0) listener([...gone]);
      return () => void goneListeners.delete(listener);
    },
    onLost(listener) {
      lostListeners.add(listener);
      return () => void lostListeners.delete(listener);
    },
    onEvent(listener) {
      eventListeners.add(listener);
      return () => void eventListeners.delete(listener);
    },
    publish: bridge.send,
    async markReady() {
      await query(MARK_READY, [id]);
    },
    onCommitRejected: onRejected,
    async close() {
      closing.abort();
      await bridge.close();
      await running;
      try {
        await query(MARK_LEFT, [id]);
      } catch (error) {
        log.debug("the node could not say goodbye", { reason: toReason(error) });
      }
      await client?.end().catch(() => {});
    },
  };
}

/** Marks a node as gone. Returns false while its terminated connection still locks the row; the next check retries. */
async function markGone(server: pg.Client, other: string, beat: string): Promise<boolean> {
  try {
    return (await server.query(MARK_GONE, [other, beat])).rowCount === 1;
  } catch (error) {
    if (getSqlState(error) === LOCK_TIMEOUT_STATE) return false;
    throw error;
  }
}

function toNodeStatus(row: NodeRow): NodeStatus {
  const toIso = (at: unknown) => new Date(at as string).toISOString();
  return {
    id: row.id,
    version: row.version,
    joinedAt: toIso(row.joined_at),
    seenAt: toIso(row.seen_at),
    address: row.address,
    lagMs: Number(row.lag_ms),
    isDraining: Boolean(row.draining),
  };
}
