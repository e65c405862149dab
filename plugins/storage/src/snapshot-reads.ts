import { AsyncLocalStorage } from "node:async_hooks";
import type { SqlConnection } from "./sql-connection.ts";

type Run = SqlConnection["run"];

const MAX_ROUNDS = 10;

export interface SnapshotReadsDeps {
  readonly reader: SqlConnection;
  readonly writer: SqlConnection;
  /** Number of applied migrations. */
  readonly steps: () => number;
}

/** Consistent reads within a snapshot. */
export function createSnapshotReads({ reader, writer, steps }: SnapshotReadsDeps) {
  const inside = new AsyncLocalStorage<Run | undefined>();
  const begin = async (run: Run) => {
    await run({ sql: "BEGIN", parameters: [] });
    // The snapshot starts with the first read.
    await run({ sql: "SELECT count(*) FROM sqlite_schema", parameters: [] });
  };
  const once = <T>(work: () => Promise<T>) =>
    reader.exclusively(async ({ run }) => {
      try {
        // Nothing is committed before `work` has read the memory of the services.
        const { done } = await writer.exclusively(async () => {
          await begin(run);
          return { done: inside.run(run, work) };
        });
        return await done;
      } finally {
        await run({ sql: "ROLLBACK", parameters: [] });
      }
    });
  return {
    run: () => inside.getStore(),
    /** Reads the current state instead of the snapshot within `work`. */
    outside: <T>(work: () => Promise<T>): Promise<T> => inside.run(undefined, work),
    async snapshot<T>(work: () => Promise<T>): Promise<T> {
      if (inside.getStore()) return work();
      // A table that is created when it is first read does not exist in the earlier snapshot.
      for (let round = 1; ; round += 1) {
        const before = steps();
        const [result] = await Promise.allSettled([once(work)]);
        if (steps() !== before && round < MAX_ROUNDS) continue;
        if (result.status === "rejected") throw result.reason;
        return result.value;
      }
    },
  };
}
