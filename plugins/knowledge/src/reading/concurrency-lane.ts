/** Limits the number of tasks that run at the same time, and of those that wait. */
export interface ConcurrencyLane {
  /** Runs work when a slot is free. Throws the error of `full` when too many wait; an abort ends the wait. */
  run<Result>(signal: AbortSignal, full: () => Error, work: () => Promise<Result>): Promise<Result>;
}

export function createConcurrencyLane(concurrency: number, maxWaiting: number): ConcurrencyLane {
  let free = concurrency;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const waitForTurn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(enter);
    });
  return {
    async run(signal, full, work) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else if (waiting.length >= maxWaiting) throw full();
      else await waitForTurn(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
