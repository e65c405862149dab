import type { LiveEvent, LiveEvents, Logger } from "@parley/core";

type Listener = (event: LiveEvent) => void;

/** Events for those who listen in this process. A listener that throws hurts neither the publisher nor the others. */
export function createLiveEvents(log: Logger): LiveEvents {
  const own = new Set<Listener>();
  const watching = new Set<Listener>();
  const tell = (listeners: ReadonlySet<Listener>, event: LiveEvent) => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error("a listener failed", { type: event.type, error });
      }
    }
  };
  const added = (listeners: Set<Listener>, listener: Listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    publish(event) {
      tell(own, event);
      tell(watching, event);
    },
    subscribe: (listener) => added(own, listener),
    watch: (listener) => added(watching, listener),
    relay: (event) => tell(watching, event),
  };
}
