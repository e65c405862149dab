import type { Clock, LiveEvent, LiveEvents, SettingDefinition, Settings } from "@parley/core";

/** A clock that only moves on demand. */
export interface TestClock extends Clock {
  advance(ms: number): void;
  /** Moves only the wall clock, as an operator or a time server does. */
  jump(ms: number): void;
}

/** Creates a clock that only moves on demand. */
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

/** Live events that a test can inspect and wait for. */
export interface RecordedEvents extends LiveEvents {
  readonly published: readonly LiveEvent[];
  /** Resolves to the first matching event, published earlier or later. */
  next(fits: (event: LiveEvent) => boolean): Promise<LiveEvent>;
}

/** Creates live events that are recorded. */
export function recordedEvents(): RecordedEvents {
  const published: LiveEvent[] = [];
  const listeners = new Set<(event: LiveEvent) => void>();
  const addListener = (listener: (event: LiveEvent) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    published,
    publish(event) {
      published.push(event);
      for (const listener of listeners) listener(event);
    },
    subscribe: addListener,
    watch: addListener,
    relay(event) {
      for (const listener of listeners) listener(event);
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

/** Settings that a test can change. */
export interface TestSettings extends Settings {
  /** Changes a setting and notifies its watchers. */
  put(key: string, value: unknown): void;
}

/** Creates settings from values by key; all others have their defaults. */
export function testSettings(given: Readonly<Record<string, unknown>> = {}): TestSettings {
  const values = new Map(Object.entries(given));
  const watchers = new Map<string, Set<(value: unknown) => void>>();
  return {
    get: <Value>({ key, schema }: SettingDefinition<Value>) => schema.validate(values.get(key)).value as Value,
    watch<Value>({ key }: SettingDefinition<Value>, listener: (value: Value) => void) {
      const those = watchers.get(key) ?? new Set();
      watchers.set(key, those);
      those.add(listener as (value: unknown) => void);
      return () => void those.delete(listener as (value: unknown) => void);
    },
    put(key, value) {
      values.set(key, value);
      for (const listener of watchers.get(key) ?? []) listener(value);
    },
  };
}
