/** So many at a time; who comes later waits in line. */
export interface Semaphore {
  /** Throws what `signal` was aborted with. */
  take(signal: AbortSignal): Promise<void>;
  leave(): void;
  taken(): number;
}

export function createSemaphore(most: number): Semaphore {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async take(signal) {
      signal.throwIfAborted();
      if (taken < most) {
        taken += 1;
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
    leave() {
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    },
    taken: () => taken,
  };
}
