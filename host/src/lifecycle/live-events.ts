import type { LiveEvent, LiveEvents, Logger } from "@parley/core";

type Listener = (event: LiveEvent) => void;

/** Creates the local event bus. A throwing listener affects neither the publisher nor other listeners. */
export function createLiveEvents(log: Logger): LiveEvents {
  const subscribers = new Set<Listener>();
  const watchers = new Set<Listener>();
  const notify = (listeners: ReadonlySet<Listener>, event: LiveEvent) => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error("a listener failed", { type: event.type, error });
      }
    }
  };
  const addListener = (listeners: Set<Listener>, listener: Listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    publish(event) {
      notify(subscribers, event);
      notify(watchers, event);
    },
    subscribe: (listener) => addListener(subscribers, listener),
    watch: (listener) => addListener(watchers, listener),
    relay: (event) => notify(watchers, event),
  };
}
