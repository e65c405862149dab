/** Counting semaphore; waiters are served in order. */
export interface Semaphore {
  /** Acquires a slot; rejects with the signal's abort reason. */
  acquire(signal: AbortSignal): Promise<void>;
  release(): void;
  getAcquiredCount(): number;
}

export function createSemaphore(limit: number): Semaphore {
  const waiting: (() => void)[] = [];
  let acquired = 0;
  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (acquired < limit) {
        acquired += 1;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = () => {
        waiting.splice(waiting.indexOf(resolve), 1);
        reject(signal.reason);
      };
      waiting.push(resolve);
      signal.addEventListener("abort", abort, { once: true });
      await promise.finally(() => signal.removeEventListener("abort", abort));
    },
    release() {
      const next = waiting.shift();
      if (next) next();
      else acquired -= 1;
    },
    getAcquiredCount: () => acquired,
  };
}
