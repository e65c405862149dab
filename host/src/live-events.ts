import type { LiveEvent, LiveEvents, Logger } from "@parley/core";

/** Events within this process. A listener that throws hurts neither the publisher nor the others. */
export function createLiveEvents(log: Logger): LiveEvents {
  const listeners = new Set<(event: LiveEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          log.error("a listener failed", { type: event.type, error });
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
