import { fileFailure } from "../said-failures.ts";

/** So many at once; others wait in line. */
export interface Slots {
  /** Free again with disposal; `unavailable` when none becomes free in time. */
  take(): Promise<AsyncDisposable>;
}

export function createSlots(most: number, waitMs: number): Slots {
  let free = most;
  const waiting: (() => void)[] = [];
  const release = async () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async take() {
      if (free > 0) free -= 1;
      else await turn();
      return { [Symbol.asyncDispose]: release };
    },
  };

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(fileFailure("unavailable", "converting", {}, { retryAfterS: 60 }));
      }, waitMs);
      const go = () => {
        clearTimeout(late);
        resolve();
      };
      waiting.push(go);
    });
  }
}
