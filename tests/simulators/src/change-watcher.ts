/** Waits for conditions that any change may fulfil, without polling. */
export interface ChangeWatcher {
  /** Checks all waiting conditions again. */
  changed(): void;
  /** Resolves with the first result of `look`, now or after a change. Rejects when the simulator stops first. */
  waitFor<Found>(look: () => Found | undefined | false): Promise<Found>;
}

/** Creates a change watcher; after `stopping` aborts, `changed` must be called once more. */
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
      // A caller that no longer waits must not cause an unhandled rejection.
      promise.catch(() => undefined);
      return promise;
    },
  };
}
