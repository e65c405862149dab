const EMPTY_FOR_MS = 30_000;

/** Tells from memory whether a table may have rows, so that most turns need not ask the database. */
export interface RowExistence {
  /** False when the table was found empty within the last half minute and no row was announced since. */
  isPossible(): boolean;
  /** Resolves to whether the table has rows; asks the database only when `isPossible` does not know. */
  check(): Promise<boolean>;
  /** Announces a row before it is added. */
  expectRow(): void;
}

export interface RowExistenceDeps {
  /** Asks the database whether the table has a row. */
  readonly find: () => Promise<boolean>;
  /** True when other processes may add rows; an empty table is then asked for each time. */
  readonly isShared: () => boolean;
  readonly nowMs: () => number;
}

/** Creates the knowledge of whether a table may have rows. */
export function createRowExistence({ find, isShared, nowMs }: RowExistenceDeps): RowExistence {
  let hasRows = false;
  let emptyUntilMs = Number.NEGATIVE_INFINITY;
  const isPossible = () => hasRows || nowMs() >= emptyUntilMs;
  return {
    isPossible,
    async check() {
      if (hasRows || !isPossible()) return hasRows;
      hasRows = (await find()) || hasRows;
      if (!hasRows && !isShared()) emptyUntilMs = nowMs() + EMPTY_FOR_MS;
      return hasRows;
    },
    expectRow() {
      hasRows = true;
    },
  };
}
