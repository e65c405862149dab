/** Waits for what may become so with any change, without looking at a clock. */
export interface ChangeWatcher {
  /** Lets those who wait look again. */
  changed(): void;
  /** The first thing `look` finds, now or after a change. Rejects when it is aborted before. */
  waitFor<Found>(look: () => Found | undefined | false): Promise<Found>;
}

/** `stopping` is to be followed by a last `changed`. */
export function createChangeWatcher(stopping: AbortSignal): ChangeWatcher {
  const listeners = new Set<() => void>();
  return {
    changed() {
      for (const look of [...listeners]) look();
    },
    waitFor<Found>(look: () => Found | undefined | false) {
      const { promise, resolve, reject } = Promise.withResolvers<Found>();
      const check = () => {
        try {
          const found = look();
          if (found !== undefined && found !== false) resolve(found);
          else if (stopping.aborted) throw new Error("the simulator has stopped");
          else return;
        } catch (error) {
          reject(error);
        }
        listeners.delete(check);
      };
      listeners.add(check);
      check();
      // Who does not wait any more is not told that it ended.
      promise.catch(() => undefined);
      return promise;
    },
  };
}
