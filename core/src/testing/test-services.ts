import type { Clock } from "../services/host.ts";
import type { LiveEvent, LiveEvents } from "../services/live-events.ts";

export interface TestClock extends Clock {
  advance(ms: number): void;
  /** Moves the wall clock alone, as an operator or a time server does. */
  jump(ms: number): void;
}

/** A clock that moves only when told to. */
export function createTestClock(start = Date.parse("2026-01-06T10:15:00.000Z")): TestClock {
  let wall = start;
  let steady = 0;
  return {
    now: () => wall,
    monotonic: () => steady,
    advance(ms) {
      wall += ms;
      steady += ms;
    },
    jump(ms) {
      wall += ms;
    },
  };
}

export interface RecordedEvents extends LiveEvents {
  readonly published: readonly LiveEvent[];
  /** The first event that fits, already published or still to come. */
  next(fits: (event: LiveEvent) => boolean): Promise<LiveEvent>;
}

/** Live events that are kept for the test to look at. */
export function recordedEvents(): RecordedEvents {
  const published: LiveEvent[] = [];
  const listeners = new Set<(event: LiveEvent) => void>();
  return {
    published,
    publish(event) {
      published.push(event);
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    next(fits) {
      const found = published.find(fits);
      if (found) return Promise.resolve(found);
      return new Promise((resolve) => {
        const stop = this.subscribe((event) => {
          if (!fits(event)) return;
          stop();
          resolve(event);
        });
      });
    },
  };
}
