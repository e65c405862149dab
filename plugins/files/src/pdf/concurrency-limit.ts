import { filesTexts } from "../texts.ts";

/** Limit of concurrent work; others wait in order. */
export interface ConcurrencyLimit {
  /** Free again with disposal; `unavailable` when none becomes free in time. */
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
