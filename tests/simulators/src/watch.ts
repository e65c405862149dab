/** Waits for what may become so with any change, without looking at a clock. */
export interface Watch {
  /** Lets those who wait look again. */
  changed(): void;
  /** The first thing `look` finds, now or after a change. Rejects when it is aborted before. */
  waitFor<Found>(look: () => Found | undefined | false): Promise<Found>;
}

/** `stopping` is to be followed by a last `changed`. */
export function createWatch(stopping: AbortSignal): Watch {
  const looking = new Set<() => void>();
  return {
    changed() {
      for (const look of [...looking]) look();
    },
    waitFor<Found>(look: () => Found | undefined | false) {
      const { promise, resolve, reject } = Promise.withResolvers<Found>();
      const again = () => {
        try {
          const found = look();
          if (found !== undefined && found !== false) resolve(found);
          else if (stopping.aborted) throw new Error("the simulator has stopped");
          else return;
        } catch (error) {
          reject(error);
        }
        looking.delete(again);
      };
      looking.add(again);
      again();
      // Who does not wait any more is not told that it ended.
      promise.catch(() => undefined);
      return promise;
    },
  };
}
