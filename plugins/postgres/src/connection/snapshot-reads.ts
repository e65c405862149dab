import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { withConnection } from "./connections.ts";
import { toAppError } from "./failures.ts";
import type { Run, StatementExecutor } from "./statements.ts";
import type { Writer } from "./writer.ts";

const MAX_ROUNDS = 10;
/** The snapshot is taken by the first query, hence `select 1`. */
const BEGIN_SNAPSHOT = "begin isolation level repeatable read read only; select 1";

export interface SnapshotReadsDeps {
  readonly options: pg.ClientConfig;
  readonly executor: StatementExecutor;
  readonly writer: Writer;
}

/** Consistent reads within a snapshot. */
export interface SnapshotReads {
  /** Returns the reader of the current snapshot; undefined outside of one. */
  getRun(): Run | undefined;
  snapshot<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work outside the snapshot, since migrations need the current schema. */
  runOutside<T>(work: () => Promise<T>): Promise<T>;
  /** Called when a migration step was applied. */
  onSchemaChanged(): void;
}

export function createSnapshotReads({ options, executor, writer }: SnapshotReadsDeps): SnapshotReads {
  const inside = new AsyncLocalStorage<Run | undefined>();
  let last: Promise<unknown> = Promise.resolve();
  let steps = 0;
  /** Runs `work` in a snapshot; a rejection outside of `work` is a failure of the server or connection. */
  const runOnce = <T>(work: () => Promise<T>): Promise<PromiseSettledResult<T>> =>
    withConnection({ ...options, pipeline: true } as pg.ClientConfig, async (client) => {
      const run: Run = (statement) =>
        executor.execute(client, statement).catch((error) => Promise.reject(toAppError(error)));
      // No commit until `work` has started: what services hold in memory, which it reads first, is as old as the snapshot.
      const transaction = await writer.begin();
      let done: Promise<readonly [PromiseSettledResult<T>]>;
      try {
        await client.query(BEGIN_SNAPSHOT);
        done = Promise.allSettled([inside.run(run, work)]);
      } finally {
        await transaction.rollback();
        transaction.release();
      }
      return (await done)[0];
    }).catch((error) => Promise.reject(toAppError(error)));
  const runUntilStable = async <T>(work: () => Promise<T>): Promise<T> => {
    // A table that is created when it is first read does not exist in the earlier snapshot.
    for (let round = 1; ; round += 1) {
      const before = steps;
      const result = await runOnce(work);
      if (steps !== before && round < MAX_ROUNDS) continue;
      if (result.status === "rejected") throw result.reason;
      return result.value;
    }
  };
  return {
    getRun: () => inside.getStore(),
    snapshot(work) {
      if (inside.getStore()) return work();
      const turn = last.then(
        () => runUntilStable(work),
        () => runUntilStable(work),
      );
      last = turn;
      return turn;
    },
    runOutside: (work) => inside.run(undefined, work),
    onSchemaChanged() {
      steps += 1;
    },
  };
}
