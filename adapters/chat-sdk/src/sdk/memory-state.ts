import type { Clock } from "@parley/core";

const MAX_ENTRIES = 5_000;
const MAX_LIST = 1_000;

interface Entry {
  readonly value: unknown;
  readonly until: number;
}

interface ListOptions {
  readonly maxLength?: number;
  readonly ttlMs?: number;
}

/**
 * The state that an adapter of the Chat SDK keeps between calls: names of people, addresses of services, ids of events it has seen. It is
 * in memory and bounded, so that after a kill no event counts as seen whose message was not stored.
 */
export interface MemoryState {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown, ttlMs?: number): Promise<void>;
  setIfNotExists(key: string, value: unknown, ttlMs?: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  getList(key: string): Promise<readonly unknown[]>;
  appendToList(key: string, value: unknown, options?: ListOptions): Promise<void>;
  subscribe(threadId: string): Promise<void>;
  unsubscribe(threadId: string): Promise<void>;
  isSubscribed(threadId: string): Promise<boolean>;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  acquireLock(threadId: string, ttlMs: number): Promise<object>;
  extendLock(): Promise<boolean>;
  releaseLock(): Promise<void>;
  forceReleaseLock(): Promise<void>;
  enqueue(): Promise<number>;
  dequeue(): Promise<null>;
  queueDepth(): Promise<number>;
}

/** Creates the state; `onWrite` learns each key that is set. Locks and queues are the gateway's work: nobody waits for a lock here. */
export function createMemoryState(clock: Pick<Clock, "monotonic">, onWrite: (key: string) => void): MemoryState {
  const entries = new Map<string, Entry>();
  const read = (key: string): unknown => {
    const entry = entries.get(key);
    if (entry && entry.until <= clock.monotonic()) entries.delete(key);
    return entries.get(key)?.value ?? null;
  };
  const write = (key: string, value: unknown, ttlMs = Number.POSITIVE_INFINITY) => {
    entries.delete(key);
    entries.set(key, { value, until: clock.monotonic() + ttlMs });
    const [oldest] = entries.keys();
    if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    onWrite(key);
  };
  const readList = (key: string): readonly unknown[] => {
    const list = read(`list ${key}`);
    return Array.isArray(list) ? list : [];
  };
  return {
    get: async (key) => read(key),
    set: async (key, value, ttlMs) => write(key, value, ttlMs),
    async setIfNotExists(key, value, ttlMs) {
      if (read(key) !== null) return false;
      write(key, value, ttlMs);
      return true;
    },
    async delete(key) {
      entries.delete(key);
    },
    getList: async (key) => readList(key),
    async appendToList(key, value, { maxLength = MAX_LIST, ttlMs } = {}) {
      write(`list ${key}`, [...readList(key), value].slice(-maxLength), ttlMs);
    },
    subscribe: async (threadId) => write(`subscribed ${threadId}`, true),
    unsubscribe: async (threadId) => void entries.delete(`subscribed ${threadId}`),
    isSubscribed: async (threadId) => read(`subscribed ${threadId}`) === true,
    async connect() {},
    async disconnect() {},
    acquireLock: async (threadId, ttlMs) => ({ threadId, token: threadId, expiresAt: Date.now() + ttlMs }),
    extendLock: async () => true,
    async releaseLock() {},
    async forceReleaseLock() {},
    enqueue: async () => 0,
    dequeue: async () => null,
    queueDepth: async () => 0,
  };
}
