import { accountsTexts } from "../texts.ts";

/** Half of the threads that Node uses for files and names, so that hashing leaves some of them free. */
const CONCURRENCY = 2;
const MAX_WAITING = 8;
const RETRY_AFTER_S = 2;

/** Limits how many passwords are hashed at a time, and how many wait. */
export interface PasswordHashQueue {
  /** Runs hashing work in a queue. Throws `rate_limited` when too many wait; skips work of a client that has left. */
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
  // The slot is passed to the caller that waits longest, and is never free in between.
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
