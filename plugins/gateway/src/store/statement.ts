import { type Clock, type Database, fixedStatement, type Write } from "@parley/core";
import { type Kysely, sql } from "kysely";
import type { MainTables } from "./tables.ts";

export interface StoreDeps {
  readonly main: () => Database;
  readonly clock: Clock;
}

export function createStatement(text: string, parameters: readonly unknown[], more: Partial<Write> = {}): Write {
  return { query: fixedStatement(text, parameters), ...more };
}

export function getTables(main: () => Database): Kysely<MainTables> {
  return main().tables<MainTables>();
}

/** Issues increasing numbers for the order of stored rows, even when the clock is set back. */
export type PositionCounter = ReturnType<typeof createPositionCounter>;

export function createPositionCounter(clock: Clock) {
  let last = 0;
  return {
    next(): number {
      last = Math.max(last + 1, clock.now() * 1_000);
      return last;
    },
    /** Continues after a stored position. */
    advancePast(stored: number | undefined) {
      last = Math.max(last, Number(stored ?? 0));
    },
  };
}

export const STATE_COUNT_COLUMNS = ["state", sql<number>`count(*)`.as("count")] as const;

export function toCounts<State extends string>(
  rows: readonly { readonly state: State; readonly count: number }[],
): Readonly<Partial<Record<State, number>>> {
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)])) as Partial<Record<State, number>>;
}
