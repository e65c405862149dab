import { setTimeout as wait } from "node:timers/promises";
import { type Clock, type LiveEvent, type Logger, type NodeStatus, type Nodes, notFound } from "@parley/core";
import pg from "pg";
import { known, reasonOf, sqlStateOf } from "./failures.ts";
import { openLiveBridge } from "./live-events.ts";
import { ALONE, nameOfWriter } from "./membership.ts";

const BEAT_EVERY_MS = 1_500;
/** Whose row stays the same for so long, seen by one that hears of the server all the time, is gone. */
const SILENT_MS = 8_000;
/** Before the others can hold this process for dead it holds itself back. */
const COUNTED_MS = 6_500;
/** Whose row stays the same for longer is given nothing. */
const HEARD_OF_MS = 3_500;
/** The server's code for a lock that was not had in time. */
const LOCKED = "55P03";
const KEPT = "7 days";
const PRUNE_EVERY_MS = 60 * 60_000;
/** What a process that stands still has locked is not waited for. */
const OF_A_BEAT = "set lock_timeout = '1s'; set statement_timeout = '4s'";

const BEAT = `update processes set beat = beat + 1, seen_at = clock_timestamp(), address = $2, lag_ms = $3
  where id = $1 and gone_at is null returning draining`;
const SEEN = `select id, beat::text as beat, gone_at is not null as is_gone, ready and not draining as takes from processes
  where id not in ($1, '${ALONE}')`;
const END = "update processes set gone_at = clock_timestamp() where id = $1 and beat = $2::bigint and gone_at is null";
const READY = "update processes set ready = true where id = $1";
const LEAVE = "update processes set gone_at = clock_timestamp() where id = $1";
/** One that stands still in the middle of a transaction has locked what the others need. */
const CUT_OFF = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1";
const PRUNE = `delete from processes where gone_at < now() - interval '${KEPT}'`;
const LIST = `select id, version, joined_at, seen_at, address, lag_ms, draining from processes
  where gone_at is null and id <> '${ALONE}' order by joined_at, id`;
const DRAIN = `update processes set draining = $2 where id = $1 and gone_at is null and id <> '${ALONE}'`;

export interface OpenNodes extends Nodes {
  /** Hears what another node publishes for those who watch; lost while there is no connection. Returns the end of it. */
  onEvent(heard: (event: LiveEvent) => void): () => void;
  /** Tells the other nodes of an event. */
  publish(event: LiveEvent): void;
  /** All of this process has started: the others may give it something. */
  ready(): Promise<void>;
  /** A commit of this process was refused. */
  refused(): void;
  /** Nothing is stored by this process any more: what it held is free. */
  close(): Promise<void>;
}

export interface NodesParts {
  readonly id: string;
  readonly options: pg.ClientConfig;
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Logger;
  /** Where it listens; empty where it does not. */
  readonly address: () => string;
  /** How late the last signal was. */
  readonly lagMs: () => number;
}

interface Seen {
  readonly id: string;
  readonly beat: string;
  readonly is_gone: number;
  readonly takes: number;
}

interface Listed {
  readonly id: string;
  readonly version: string;
  readonly joined_at: unknown;
  readonly seen_at: unknown;
  readonly address: string;
  readonly lag_ms: string;
  readonly draining: number;
}

/**
 * Nodes: each writes a heartbeat every second or two, on a connection of its own, and looks at the others'. There are no leases
 * to renew but that: what a node holds (conversations, channels) bears its id, and it holds it until it says goodbye or one of
 * the others ends it. Ending is a mark in its row; every commit reads that row, so the server refuses what a node that was
 * taken for dead still wants to store, however late. Time is measured by the watcher's own clock that never jumps, and begins
 * anew when the server was away: an outage of the server ends nobody.
 */
export function openNodes({ id, options, clock, log, address, lagMs }: NodesParts): OpenNodes {
  const gone = new Set<string>();
  const toldGone = new Set<(ids: readonly string[]) => void>();
  const toldDraining = new Set<() => void>();
  const toldLost = new Set<() => void>();
  const toldEvents = new Set<(event: LiveEvent) => void>();
  const bridge = openLiveBridge({
    node: id,
    options,
    log,
    heard(event) {
      for (const heard of toldEvents) heard(event);
    },
  });
  const closing = new AbortController();
  let watched = new Map<string, { readonly beat: string; readonly sinceMs: number }>();
  let countedMs = clock.monotonic();
  let prunedMs = clock.monotonic();
  let isLost = false;
  let isDraining = false;
  let takers: readonly string[] = [];
  let client: pg.Client | undefined;

  const refused = () => {
    if (isLost || closing.signal.aborted) return;
    isLost = true;
    log.error("the other nodes took this one for dead: it gives up what it does and starts anew");
    for (const heard of toldLost) heard();
  };
  const setDraining = (isWanted: boolean) => {
    const was = isDraining;
    isDraining = isWanted && takers.length > 0;
    if (isDraining !== was) for (const heard of toldDraining) heard();
  };
  const connected = async () => {
    if (client) return client;
    const opened = new pg.Client({ ...options, application_name: "parley nodes", query_timeout: 5_000 });
    const forget = () => {
      if (client === opened) client = undefined;
    };
    opened.on("end", forget);
    opened.on("error", (error) => {
      forget();
      log.debug("the connection of the nodes has ended", { reason: reasonOf(error) });
    });
    await opened.connect();
    await opened.query(OF_A_BEAT);
    // What went on while nobody looked is not held against anybody.
    watched = new Map();
    client = opened;
    return opened;
  };
  const query = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
    try {
      return await (await connected()).query<Row>(text, [...values]);
    } catch (error) {
      throw known(error);
    }
  };
  const endSilent = async (server: pg.Client, others: readonly Seen[]) => {
    const now = clock.monotonic();
    const before = watched;
    watched = new Map();
    for (const { id: other, beat, is_gone } of others) {
      if (is_gone) continue;
      const last = before.get(other);
      const sinceMs = last?.beat === beat ? last.sinceMs : now;
      watched.set(other, { beat, sinceMs });
      if (now - sinceMs < SILENT_MS) continue;
      await server.query(CUT_OFF, [nameOfWriter(other)]);
      if (await ended(server, other, beat))
        log.warn("a node is not heard of: what it held is taken over", { node: other });
    }
  };
  const tellGone = (others: readonly Seen[]) => {
    const fresh = others.filter((other) => other.is_gone && !gone.has(other.id));
    for (const other of fresh) gone.add(other.id);
    if (fresh.length > 0) for (const heard of toldGone) heard([...gone]);
  };
  const beat = async () => {
    const server = await connected();
    const now = clock.monotonic();
    const [own] = (await server.query<Pick<Listed, "draining">>(BEAT, [id, address(), Math.round(lagMs())])).rows;
    if (!own) return refused();
    countedMs = now;
    await endSilent(server, (await server.query<Seen>(SEEN, [id])).rows);
    const { rows: others } = await server.query<Seen>(SEEN, [id]);
    const isHeardOf = (other: string) => now - (watched.get(other)?.sinceMs ?? now) < HEARD_OF_MS;
    takers = others.filter((one) => !one.is_gone && one.takes && isHeardOf(one.id)).map((one) => one.id);
    setDraining(Boolean(own.draining));
    tellGone(others);
    if (now - prunedMs < PRUNE_EVERY_MS) return;
    prunedMs = now;
    await server.query(PRUNE);
  };
  const run = async () => {
    while (!closing.signal.aborted && !isLost) {
      await beat().catch((error) => {
        log.debug("a heartbeat could not be written", { reason: reasonOf(error) });
        client?.end().catch(() => {});
        client = undefined;
      });
      await wait(BEAT_EVERY_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    id,
    isCounted: () => !isLost && clock.monotonic() - countedMs < COUNTED_MS,
    list: async () => (await query<Listed>(LIST)).rows.map(statusOf),
    takers: () => takers,
    async drain(other, isWanted) {
      const { rowCount } = await query(DRAIN, [other, isWanted]);
      if (rowCount !== 1) throw notFound("node", other);
      if (other === id) setDraining(isWanted);
    },
    isDraining: () => isDraining,
    onDraining(heard) {
      toldDraining.add(heard);
      return () => void toldDraining.delete(heard);
    },
    onGone(heard) {
      toldGone.add(heard);
      if (gone.size > 0) heard([...gone]);
      return () => void toldGone.delete(heard);
    },
    onLost(heard) {
      toldLost.add(heard);
      return () => void toldLost.delete(heard);
    },
    onEvent(heard) {
      toldEvents.add(heard);
      return () => void toldEvents.delete(heard);
    },
    publish: bridge.send,
    async ready() {
      await query(READY, [id]);
    },
    refused,
    async close() {
      closing.abort();
      await bridge.close();
      await running;
      try {
        await query(LEAVE, [id]);
      } catch (error) {
        log.debug("the node could not say goodbye", { reason: reasonOf(error) });
      }
      await client?.end().catch(() => {});
    },
  };
}

/** False also while its connection, which was told to end, still has its row: then the next look ends it. */
async function ended(server: pg.Client, other: string, beat: string): Promise<boolean> {
  try {
    return (await server.query(END, [other, beat])).rowCount === 1;
  } catch (error) {
    if (sqlStateOf(error) === LOCKED) return false;
    throw error;
  }
}

function statusOf(row: Listed): NodeStatus {
  const iso = (at: unknown) => new Date(at as string).toISOString();
  return {
    id: row.id,
    version: row.version,
    joinedAt: iso(row.joined_at),
    seenAt: iso(row.seen_at),
    address: row.address,
    lagMs: Number(row.lag_ms),
    isDraining: Boolean(row.draining),
  };
}
