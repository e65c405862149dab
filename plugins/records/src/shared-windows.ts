import {
  AppError,
  type Clock,
  type Counted,
  type Databases,
  fixedStatement,
  type Migration,
  type SharedWindow,
  type SharedWindows,
  type Write,
} from "@parley/core";
import { createKeyedQueue } from "@parley/core/async";
import { createMemoryWindow } from "@parley/core/limits";
import { recordsTexts } from "./texts.ts";

const MAX_STAMPS = 32;
/** Maximum number of retries when two processes count the same key at the same time. */
const MAX_CONFLICT_RETRIES = 50;
const SHARES_PER_LIMIT = 20;
const SHARE_TTL_MS = 1_000;
const MAX_SHARES = 10_000;

const INSERT = `insert into window_counts (name, key, stamps, until_ms) values (?, ?, ?, ?)
  on conflict (name, key) do nothing`;
const UPDATE = "update window_counts set stamps = ?, until_ms = ? where name = ? and key = ? and stamps = ?";
const PRUNE = "delete from window_counts where until_ms < ?";

interface WindowTables {
  readonly window_counts: {
    readonly name: string;
    readonly key: string;
    readonly stamps: string;
    readonly until_ms: number;
  };
}

const WINDOW_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-window-counts",
    expands: true,
    async up(db) {
      await db.schema
        .createTable("window_counts")
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("key", "text", (column) => column.notNull())
        .addColumn("stamps", "text", (column) => column.notNull())
        .addColumn("until_ms", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("window_counts_key", ["name", "key"])
        .execute();
      await db.schema.createIndex("window_counts_until").on("window_counts").column("until_ms").execute();
    },
  },
];

export interface OwnSharedWindows extends SharedWindows {
  /** Creates the table, even for a single process, which counts in memory. */
  prepare(): Promise<void>;
  /** Deletes expired rows. */
  prune(): Promise<void>;
}

/** Creates the windows: in memory for a single process, else in the main database, by the clocks of the processes. */
export function createSharedWindows(databases: () => Databases, clock: Clock): OwnSharedWindows {
  const known = new Map<string, SharedWindow>();
  const prepare = () => databases().main.migrate("windows", WINDOW_MIGRATIONS);
  return {
    prepare,
    open(name, windowMs) {
      const window =
        known.get(name) ??
        (databases().isShared
          ? createStoredWindow({ name, windowMs, databases, clock })
          : createMemoryWindow(windowMs, () => clock.monotonic()));
      known.set(name, window);
      return window;
    },
    async prune() {
      if (!databases().isShared) return;
      await prepare();
      await databases().main.write([{ query: fixedStatement(PRUNE, [clock.now()]) }]);
    },
  };
}

/** Time and count of hits. */
type CountStamp = readonly [atMs: number, count: number];

interface WindowRow {
  readonly key: string;
  /** The stored value; undefined when nothing is stored. */
  readonly text: string | undefined;
  readonly stamps: readonly CountStamp[];
}

/** The rest of a share, or the fact that the window is full, cached to save queries. */
interface CachedShare {
  left: number;
  readonly untilMs: number;
  /** The limit for which the window is full. */
  readonly full?: number;
}

/** A share of a limit. */
interface TakenShare {
  readonly waitMs: number;
  readonly taken: number;
}

interface StoredWindowDeps {
  readonly name: string;
  readonly windowMs: number;
  readonly databases: () => Databases;
  readonly clock: Clock;
}

function createStoredWindow({ name, windowMs, databases, clock }: StoredWindowDeps): SharedWindow {
  // So that only other processes can cause conflicts.
  const runInOrder = createKeyedQueue();
  const shares = new Map<string, CachedShare>();
  let prepared: Promise<void> | undefined;
  const database = async () => {
    const { main } = databases();
    prepared ??= main.migrate("windows", WINDOW_MIGRATIONS);
    await prepared.catch((error) => {
      prepared = undefined;
      throw error;
    });
    return main;
  };
  const read = async (keys: readonly string[]): Promise<readonly WindowRow[]> => {
    const tables = (await database()).tables<WindowTables>();
    const query = tables.selectFrom("window_counts").select(["key", "stamps"]).where("name", "=", name);
    const found = await query.where("key", "in", keys).execute();
    const texts = new Map(found.map(({ key, stamps }) => [key, stamps]));
    const from = clock.now() - windowMs;
    return keys.map((key) => {
      const text = texts.get(key);
      const stamps = text === undefined ? [] : (JSON.parse(text) as readonly CountStamp[]);
      return { key, text, stamps: stamps.filter(([atMs]) => atMs > from) };
    });
  };
  const toWrite = ({ key, text }: WindowRow, stamps: readonly CountStamp[]): Write => {
    const [next, untilMs] = [JSON.stringify(stamps), clock.now() + windowMs];
    const query =
      text === undefined
        ? fixedStatement(INSERT, [name, key, next, untilMs])
        : fixedStatement(UPDATE, [next, untilMs, name, key, text]);
    return { query, expect: 1 };
  };
  /** Updates rows with retries; `change` returns the result and the writes, without any where nothing changes. */
  const updateRows = async <Result>(
    keys: readonly string[],
    change: (rows: readonly WindowRow[]) => readonly [Result, readonly Write[]],
  ): Promise<Result> => {
    // Sorted, to avoid deadlocks between writers.
    const ordered = [...new Set(keys)].sort();
    for (let tried = 1; ; tried += 1) {
      const [result, writes] = change(await read(ordered));
      try {
        if (writes.length > 0) await (await database()).write(writes);
        return result;
      } catch (error) {
        if (!AppError.is(error) || error.code !== "conflict") throw error;
        if (tried >= MAX_CONFLICT_RETRIES)
          throw recordsTexts.error("rate_limited", "many_at_once", {}, { retryAfterS: 1 });
      }
    }
  };
  const getWaitMs = ({ stamps }: WindowRow, most: number): number => {
    if (sumCounts(stamps) < most) return 0;
    if (most <= 0) return windowMs;
    let over = sumCounts(stamps) - most + 1;
    const [last] = stamps.find(([, count]) => {
      over -= count;
      return over <= 0;
    }) ?? [clock.now()];
    return Math.max(1, last + windowMs - clock.now());
  };
  return {
    count: (limits, noted = []) =>
      runInOrder([...limits.keys(), ...noted].at(0) ?? "", () =>
        updateRows([...limits.keys(), ...noted], (rows): readonly [Counted, readonly Write[]] => {
          const waitMs = Math.max(0, ...rows.map((row) => getWaitMs(row, limits.get(row.key) ?? Number.MAX_VALUE)));
          const next = rows.map((row): readonly [WindowRow, readonly CountStamp[]] => {
            if (waitMs > 0) return [row, row.stamps];
            const stamps: readonly CountStamp[] = [...row.stamps, [clock.now(), 1]];
            return [row, limits.has(row.key) ? stamps : stamps.slice(-MAX_STAMPS)];
          });
          const counts = new Map(next.map(([{ key }, stamps]) => [key, sumCounts(stamps)]));
          return [{ waitMs, counts }, waitMs > 0 ? [] : next.map(([row, stamps]) => toWrite(row, stamps))];
        }),
      ),
    async waitMs(key, most) {
      const [row] = await read([key]);
      return row ? getWaitMs(row, most) : 0;
    },
    use: (key, most) =>
      runInOrder(key, async () => {
        const share = shares.get(key);
        const leftMs = share ? share.untilMs - clock.monotonic() : 0;
        // A full window stays full until its oldest entry expires.
        if (share?.full === most && leftMs > 0) return leftMs;
        if (share && share.left > 0 && leftMs > 0) {
          share.left -= 1;
          return 0;
        }
        const { waitMs, taken } = await updateRows([key], ([row]): readonly [TakenShare, readonly Write[]] => {
          if (!row) return [{ waitMs: 0, taken: 1 }, []];
          const waitMs = getWaitMs(row, most);
          if (waitMs > 0) return [{ waitMs, taken: 0 }, []];
          const taken = Math.max(1, Math.min(Math.floor(most / SHARES_PER_LIMIT), most - sumCounts(row.stamps)));
          return [{ waitMs, taken }, [toWrite(row, [...row.stamps, [clock.now(), taken]])]];
        });
        // Cached only once stored, since another process may have been first.
        if (shares.size > MAX_SHARES) shares.clear();
        const nowMs = clock.monotonic();
        if (waitMs > 0) shares.set(key, { left: 0, untilMs: nowMs + waitMs, full: most });
        else shares.set(key, { left: taken - 1, untilMs: nowMs + SHARE_TTL_MS });
        return waitMs;
      }),
    uncount: (keys, forgotten = []) =>
      updateRows([...keys, ...forgotten], (rows) => {
        const there = rows.filter(({ text }) => text !== undefined);
        const writes = there.map((row) => toWrite(row, forgotten.includes(row.key) ? [] : row.stamps.slice(0, -1)));
        return [undefined, writes];
      }),
  };
}

function sumCounts(stamps: readonly CountStamp[]): number {
  return stamps.reduce((sum, [, count]) => sum + count, 0);
}
