/** So many at a time; who comes later waits in line. */
export interface Places {
  /** Throws what `signal` was aborted with. */
  take(signal: AbortSignal): Promise<void>;
  leave(): void;
  taken(): number;
}

export function createPlaces(most: number): Places {
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
