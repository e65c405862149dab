import {
  AppError,
  type Clock,
  type Counted,
  createMemoryWindow,
  type Databases,
  fixedStatement,
  type Migration,
  type SharedWindow,
  type SharedWindows,
  type Write,
} from "@parley/core";
import { recordFailure } from "./said-failures.ts";

const MOST_NOTED = 32;
/** Of two processes that count the same key at once one counts again. */
const TRIES = 50;
const SHARE = 20;
const SHARE_KEPT_MS = 1_000;
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

const WINDOWS: readonly Migration[] = [
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
  /** Makes the table, also where one process works alone and counts in memory. */
  prepare(): Promise<void>;
  /** Removes what does not count any more. */
  prune(): Promise<void>;
}

/** In memory where one process works alone; else in the main database, by the clocks of the processes. */
export function createSharedWindows(databases: () => Databases, clock: Clock): OwnSharedWindows {
  const known = new Map<string, SharedWindow>();
  const prepare = () => databases().main.migrate("windows", WINDOWS);
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

/** How many came when. */
type Stamp = readonly [atMs: number, count: number];

interface Row {
  readonly key: string;
  /** As it is stored; undefined: it is not. */
  readonly text: string | undefined;
  readonly stamps: readonly Stamp[];
}

/** What is left of a share; or there is no room before it ends, and nobody needs to ask. */
interface Share {
  left: number;
  readonly untilMs: number;
  /** Of a limit that had no room. */
  readonly full?: number;
}

/** A share of a limit. */
interface Taken {
  readonly waitMs: number;
  readonly taken: number;
}

interface StoredWindowParts {
  readonly name: string;
  readonly windowMs: number;
  readonly databases: () => Databases;
  readonly clock: Clock;
}

function createStoredWindow({ name, windowMs, databases, clock }: StoredWindowParts): SharedWindow {
  const inTurn = createTurns();
  const shares = new Map<string, Share>();
  let prepared: Promise<void> | undefined;
  const database = async () => {
    const { main } = databases();
    prepared ??= main.migrate("windows", WINDOWS);
    await prepared.catch((error) => {
      prepared = undefined;
      throw error;
    });
    return main;
  };
  const read = async (keys: readonly string[]): Promise<readonly Row[]> => {
    const tables = (await database()).tables<WindowTables>();
    const query = tables.selectFrom("window_counts").select(["key", "stamps"]).where("name", "=", name);
    const found = await query.where("key", "in", keys).execute();
    const texts = new Map(found.map(({ key, stamps }) => [key, stamps]));
    const from = clock.now() - windowMs;
    return keys.map((key) => {
      const text = texts.get(key);
      const stamps = text === undefined ? [] : (JSON.parse(text) as readonly Stamp[]);
      return { key, text, stamps: stamps.filter(([atMs]) => atMs > from) };
    });
  };
  const writeOf = ({ key, text }: Row, stamps: readonly Stamp[]): Write => {
    const [next, untilMs] = [JSON.stringify(stamps), clock.now() + windowMs];
    const query =
      text === undefined
        ? fixedStatement(INSERT, [name, key, next, untilMs])
        : fixedStatement(UPDATE, [next, untilMs, name, key, text]);
    return { query, expect: 1 };
  };
  /** `change` says what stays of each row; undefined: nothing is to be changed. */
  const changed = async <Result>(
    keys: readonly string[],
    change: (rows: readonly Row[]) => readonly [Result, readonly Write[]],
  ): Promise<Result> => {
    // In one order: of two who wait for each other's rows one would be ended.
    const ordered = [...new Set(keys)].sort();
    for (let tried = 1; ; tried += 1) {
      const [result, writes] = change(await read(ordered));
      try {
        if (writes.length > 0) await (await database()).write(writes);
        return result;
      } catch (error) {
        if (!AppError.is(error) || error.code !== "conflict") throw error;
        if (tried >= TRIES) throw recordFailure("rate_limited", "many_at_once", {}, { retryAfterS: 1 });
      }
    }
  };
  const waitMsOf = ({ stamps }: Row, most: number): number => {
    if (countOf(stamps) < most) return 0;
    if (most <= 0) return windowMs;
    let over = countOf(stamps) - most + 1;
    const [last] = stamps.find(([, count]) => {
      over -= count;
      return over <= 0;
    }) ?? [clock.now()];
    return Math.max(1, last + windowMs - clock.now());
  };
  return {
    count: (limits, noted = []) =>
      inTurn([...limits.keys(), ...noted].at(0) ?? "", () =>
        changed([...limits.keys(), ...noted], (rows): readonly [Counted, readonly Write[]] => {
          const waitMs = Math.max(0, ...rows.map((row) => waitMsOf(row, limits.get(row.key) ?? Number.MAX_VALUE)));
          const next = rows.map((row): readonly [Row, readonly Stamp[]] => {
            if (waitMs > 0) return [row, row.stamps];
            const stamps: readonly Stamp[] = [...row.stamps, [clock.now(), 1]];
            return [row, limits.has(row.key) ? stamps : stamps.slice(-MOST_NOTED)];
          });
          const counts = new Map(next.map(([{ key }, stamps]) => [key, countOf(stamps)]));
          return [{ waitMs, counts }, waitMs > 0 ? [] : next.map(([row, stamps]) => writeOf(row, stamps))];
        }),
      ),
    async waitMs(key, most) {
      const [row] = await read([key]);
      return row ? waitMsOf(row, most) : 0;
    },
    use: (key, most) =>
      inTurn(key, async () => {
        const share = shares.get(key);
        const leftMs = share ? share.untilMs - clock.monotonic() : 0;
        // What fills a window only grows until its oldest goes.
        if (share?.full === most && leftMs > 0) return leftMs;
        if (share && share.left > 0 && leftMs > 0) {
          share.left -= 1;
          return 0;
        }
        const { waitMs, taken } = await changed([key], ([row]): readonly [Taken, readonly Write[]] => {
          if (!row) return [{ waitMs: 0, taken: 1 }, []];
          const waitMs = waitMsOf(row, most);
          if (waitMs > 0) return [{ waitMs, taken: 0 }, []];
          const taken = Math.max(1, Math.min(Math.floor(most / SHARE), most - countOf(row.stamps)));
          return [{ waitMs, taken }, [writeOf(row, [...row.stamps, [clock.now(), taken]])]];
        });
        // Ours when it is stored, and not before: somebody else may have been first.
        if (shares.size > MAX_SHARES) shares.clear();
        const nowMs = clock.monotonic();
        if (waitMs > 0) shares.set(key, { left: 0, untilMs: nowMs + waitMs, full: most });
        else shares.set(key, { left: taken - 1, untilMs: nowMs + SHARE_KEPT_MS });
        return waitMs;
      }),
    uncount: (keys, forgotten = []) =>
      changed([...keys, ...forgotten], (rows) => {
        const there = rows.filter(({ text }) => text !== undefined);
        const writes = there.map((row) => writeOf(row, forgotten.includes(row.key) ? [] : row.stamps.slice(0, -1)));
        return [undefined, writes];
      }),
  };
}

function countOf(stamps: readonly Stamp[]): number {
  return stamps.reduce((sum, [, count]) => sum + count, 0);
}

/** Of one key one after another: only other processes are in the way. */
function createTurns(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    const forget = () => {
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  };
}
