import { randomUUID } from "node:crypto";
import {
  AppError,
  type Clock,
  type Database,
  fixedStatement,
  type Logger,
  type Migration,
  type Signals,
} from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { toReason } from "../connection/failures.ts";

const CHANNEL = "parley_signals";
/** Retention of signals; a process disconnected for half of it reloads everything. */
const RETENTION_MS = 60 * 60_000;
const MAX_DISCONNECTED_MS = RETENTION_MS / 2;
/** Interval of pings that check the connection. */
const PING_INTERVAL_MS = 5_000;
const RECONNECT_DELAYS_MS = [100, 250, 500, 1_000, 2_500, 5_000] as const;
const MAX_KEY_CHARS = 1_000;
/** Maximum time for which a request waits for changes of other processes. */
const CATCH_UP_MS = 1_000;
const PRUNE_EVERY_MS = 10 * 60_000;

const INSERT_SIGNAL = "insert into signals (topic, key, node) values (?, ?, ?)";
const NOTIFY = `select pg_notify('${CHANNEL}', '')`;
const PRUNE_SIGNALS = "delete from signals where told_at < now() - ? * interval '1 millisecond'";
/** Transactions may commit in another order than they began, so those open at the last read are read again. */
const READ_SIGNALS = `select seq, topic, key, node, (extract(epoch from clock_timestamp() - told_at) * 1000)::float8 as late_ms, pg_snapshot_xmin(pg_current_snapshot())::text as next from
  (select 1) as one left join signals on tx >= $1::xid8 order by seq`;
const READ_CURSOR = "select pg_snapshot_xmin(pg_current_snapshot())::text as next";

/** `tx` is the id of the transaction that stored the signal; readers continue from such an id. */
const SIGNAL_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-signals",
    async up(db: Kysely<unknown>) {
      await sql`create table signals (seq bigint generated always as identity primary key, tx xid8 not null default pg_current_xact_id(),
        topic text not null, key text not null, node text not null, told_at timestamptz not null default now())`.execute(
        db,
      );
      await sql`create index signals_tx on signals (tx)`.execute(db);
      await sql`create index signals_told on signals (told_at)`.execute(db);
    },
  },
];

export interface OpenSignals extends Signals {
  /** Returns the delay of the last signal in milliseconds; without a connection, the time since it was lost. */
  getLagMs(): number;
  close(): Promise<void>;
}

export interface SignalsDeps {
  readonly options: pg.ClientConfig;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

interface SignalRow {
  /** Number of the last signal; null when there is none. */
  readonly seq: number | null;
  readonly topic: string;
  readonly key: string;
  readonly node: string;
  readonly late_ms: number;
  readonly next: string;
}

/** Opens the signals: a table, and a connection notified of new rows. */
export async function openSignals({ options, database, clock, log }: SignalsDeps): Promise<OpenSignals> {
  await database.migrate("signals", SIGNAL_MIGRATIONS);
  const node = randomUUID();
  const listeners = new Map<string, Set<(key: string | undefined) => unknown>>();
  /** Received changes that are being applied. */
  const applying = new Set<Promise<void>>();
  const prune = () => database.write([{ query: fixedStatement(PRUNE_SIGNALS, [RETENTION_MS]) }]);
  const notifyListeners = (topic: string, key: string | undefined) => {
    for (const listener of listeners.get(topic) ?? []) {
      const applied = Promise.try(listener, key).then(
        () => {},
        (error: unknown) => log.error("a signal from another process could not be handled", { topic, error }),
      );
      applying.add(applied);
      void applied.then(() => applying.delete(applied));
    }
  };
  const listening = openListener(options, {
    clock,
    log,
    onSignal: ({ topic, key, node: by }) => {
      if (by !== node) notifyListeners(topic, key);
    },
    onMissed() {
      for (const topic of listeners.keys()) notifyListeners(topic, undefined);
    },
  });
  const pruning = setInterval(() => prune().catch((error) => log.debug("old signals stay", { error })), PRUNE_EVERY_MS);
  pruning.unref();
  try {
    await listening.opened;
  } catch (error) {
    clearInterval(pruning);
    await listening.close();
    throw error;
  }
  return {
    isShared: true,
    telling(signals) {
      const long = signals.find(({ key }) => key.length > MAX_KEY_CHARS);
      if (long)
        throw new AppError("internal", `a signal of '${long.topic}' has a key of ${long.key.length} characters`);
      if (signals.length === 0) return [];
      const statements = signals.map(({ topic, key }) => ({
        query: fixedStatement(INSERT_SIGNAL, [topic, key, node]),
      }));
      return [...statements, { query: fixedStatement(NOTIFY, []) }];
    },
    listen(topic, listener) {
      const those = listeners.get(topic) ?? new Set();
      listeners.set(topic, those.add(listener));
      return () => void those.delete(listener);
    },
    async catchUp() {
      const applied = listening.awaitNextRead().then(() => Promise.all(applying));
      await resolveWithin(applied, CATCH_UP_MS);
    },
    getLagMs: listening.getLagMs,
    async close() {
      clearInterval(pruning);
      await listening.close();
    },
  };
}

interface SignalListener {
  readonly opened: Promise<void>;
  getLagMs(): number;
  /** Resolves after a read that began after this call; does not resolve while disconnected. */
  awaitNextRead(): Promise<void>;
  close(): Promise<void>;
}

interface SignalHandlers extends Pick<SignalsDeps, "clock" | "log"> {
  onSignal(row: SignalRow): void;
  onMissed(): void;
}

/** Holds one connection open; after a reconnect, reading continues where it stopped. */
function openListener(options: pg.ClientConfig, { clock, log, onSignal, onMissed }: SignalHandlers): SignalListener {
  const opened = Promise.withResolvers<void>();
  let isClosed = false;
  let wake = () => {};
  /** Callers that wait for the next read. */
  const waiting: (() => void)[] = [];
  let isWoken = false;
  let isListening = false;
  let cursor: string | undefined;
  let readAt = clock.monotonic();
  let lateMs = 0;
  /** Numbers of the signals of the last read, which the next read may return again. */
  let known: ReadonlySet<number> = new Set();

  const read = async (client: pg.Client) => {
    if (cursor === undefined) {
      const { rows } = await client.query<{ next: string }>(READ_CURSOR);
      cursor = rows[0]?.next;
    } else {
      const { rows } = await client.query<SignalRow>(READ_SIGNALS, [cursor]);
      const found = rows.filter(({ seq }) => seq !== null);
      const before = known;
      known = new Set(found.map(({ seq }) => seq as number));
      const fresh = found.filter(({ seq }) => !before.has(seq as number));
      if (fresh.length > 0) lateMs = Math.max(...fresh.map((row) => row.late_ms));
      cursor = rows[0]?.next ?? cursor;
      if (clock.monotonic() - readAt > MAX_DISCONNECTED_MS) onMissed();
      else for (const row of fresh) onSignal(row);
    }
    readAt = clock.monotonic();
    opened.resolve();
  };
  /** Waits until notified, or for this time. */
  const waitForWake = async (ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    wake = resolve;
    await promise;
    clearTimeout(timer);
  };
  const receive = async (client: pg.Client) => {
    let isBroken = false;
    const end = () => {
      isBroken = true;
      wake();
    };
    client.on("error", end).on("end", end);
    client.on("notification", () => {
      isWoken = true;
      wake();
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    isListening = true;
    while (!isClosed && !isBroken) {
      isWoken = false;
      const waitingCount = waiting.length;
      await read(client);
      for (const resolve of waiting.splice(0, waitingCount)) resolve();
      if (!isWoken && !isClosed && !isBroken) await waitForWake(PING_INTERVAL_MS);
    }
  };
  const run = async () => {
    for (let failures = 0; !isClosed; ) {
      const before = readAt;
      const client = new pg.Client({ ...options, application_name: "parley signals" });
      try {
        await receive(client);
      } catch (error) {
        if (cursor === undefined) opened.reject(error);
        log.debug("signals of other processes cannot be received", { reason: toReason(error) });
      }
      isListening = false;
      client.end().catch(() => {});
      if (isClosed) return;
      failures = readAt === before ? failures + 1 : 0;
      await waitForWake(RECONNECT_DELAYS_MS[Math.min(failures, RECONNECT_DELAYS_MS.length - 1)] ?? PING_INTERVAL_MS);
    }
  };
  const running = run();
  return {
    opened: opened.promise,
    awaitNextRead: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        isWoken = true;
        // Requests do not shorten the pause before the next attempt to connect.
        if (isListening) wake();
      }),
    getLagMs() {
      const silentMs = clock.monotonic() - readAt;
      return silentMs > 2 * PING_INTERVAL_MS ? silentMs : lateMs;
    },
    async close() {
      isClosed = true;
      wake();
      await running;
    },
  };
}
