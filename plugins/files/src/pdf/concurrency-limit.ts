import { filesTexts } from "../texts.ts";

/** Limits concurrent work; further callers wait in order. */
export interface ConcurrencyLimit {
  /** Acquires a slot, which its disposal releases. Rejects with `unavailable` when none is released in time. */
  acquire(): Promise<AsyncDisposable>;
}

export function createConcurrencyLimit(limit: number, waitMs: number): ConcurrencyLimit {
  let freeCount = limit;
  const waiting: (() => void)[] = [];
  const release = async () => {
    const next = waiting.shift();
    if (next) next();
    else freeCount += 1;
  };
  return {
    async acquire() {
      if (freeCount > 0) freeCount -= 1;
      else await turn();
      return { [Symbol.asyncDispose]: release };
    },
  };

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(filesTexts.error("unavailable", "converting", {}, { retryAfterS: 60 }));
      }, waitMs);
      const go = () => {
        clearTimeout(late);
        resolve();
      };
      waiting.push(go);
    });
  }
}
