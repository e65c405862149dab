import { AsyncLocalStorage } from "node:async_hooks";
import type { Pool } from "pg";
import { known } from "./failures.ts";
import type { Run, Speech } from "./statements.ts";
import type { Writer } from "./writer.ts";

const MAX_ROUNDS = 10;

export interface MomentsParts {
  readonly pool: Pool;
  readonly speech: Speech;
  readonly writer: Writer;
}

export type Moments = ReturnType<typeof createMoments>;

/** Reads of one moment, for whoever is asked from within. */
export function createMoments({ pool, speech, writer }: MomentsParts) {
  const inside = new AsyncLocalStorage<Run | undefined>();
  let steps = 0;
  let last: Promise<unknown> = Promise.resolve();
  /** Nothing is committed before `work` has taken what services hold in memory. */
  const started = async <T>(run: Run, work: () => Promise<T>) => {
    const hold = await writer.begin();
    try {
      await run({ sql: "begin isolation level repeatable read, read only", parameters: [] });
      // The moment is that of the first read.
      await run({ sql: "select 1", parameters: [] });
      return { done: inside.run(run, () => Promise.allSettled([work()])) };
    } finally {
      await hold.rollback();
      hold.release();
    }
  };
  const once = async <T>(work: () => Promise<T>): Promise<PromiseSettledResult<T>> => {
    const client = await pool.connect().catch((error) => Promise.reject(known(error)));
    const run: Run = (statement) => speech.say(client, statement).catch((error) => Promise.reject(known(error)));
    try {
      const { done } = await started(run, work);
      const [result] = await done;
      await run({ sql: "rollback", parameters: [] });
      client.release();
      return result;
    } catch (error) {
      // It may be in the middle of something.
      client.release(true);
      throw error;
    }
  };
  return {
    run: () => inside.getStore(),
    /** Hears of each step that was taken in the schema. */
    applied: () => {
      steps += 1;
    },
    /** Whatever `work` reads is as it is now, whoever asks for it. */
    outside: <T>(work: () => Promise<T>): Promise<T> => inside.run(undefined, work),
    async snapshot<T>(work: () => Promise<T>): Promise<T> {
      if (inside.getStore()) return work();
      const rounds = async () => {
        // A table that is made when it is first read is not there in the moment that began before.
        for (let round = 1; ; round += 1) {
          const before = steps;
          const result = await once(work);
          if (steps !== before && round < MAX_ROUNDS) continue;
          if (result.status === "rejected") throw result.reason;
          return result.value;
        }
      };
      const turn = last.then(rounds, rounds);
      last = turn.catch(() => {});
      return turn;
    },
  };
}
