import { accountsTexts } from "../texts.ts";

/** Half of the threads that files and names are read with: hashing passwords must leave them some. */
const CONCURRENCY = 2;
const MAX_WAITING = 8;
const RETRY_AFTER_S = 2;

/** Limits how many passwords are hashed at a time, and how many wait. */
export interface PasswordHashQueue {
  /** Runs hashing work in a queue; throws `rate_limited` at once when too many wait, and skips work of a client that left. */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

export function createPasswordHashQueue(): PasswordHashQueue {
  const waiting = new Set<() => void>();
  let running = 0;
  const enter = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    if (running < CONCURRENCY) {
      running += 1;
      return;
    }
    if (waiting.size >= MAX_WAITING) {
      throw accountsTexts.error("rate_limited", "sign_ins", { seconds: RETRY_AFTER_S }, { retryAfterS: RETRY_AFTER_S });
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener("abort", onAbort, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", onAbort));
  };
  // The slot is passed to the longest waiting one without becoming free in between.
  const leave = () => {
    const [next] = waiting;
    if (!next) running -= 1;
    else {
      waiting.delete(next);
      next();
    }
  };
  return {
    async run(signal, work) {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
