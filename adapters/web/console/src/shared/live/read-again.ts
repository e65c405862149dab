import type { QueryClient } from "@tanstack/react-query";

interface Reading {
  readonly now: Promise<void>;
  /** Of what changed while it is being read. */
  next?: Promise<void>;
}

const readings = new WeakMap<QueryClient, Map<string, Reading>>();

/**
 * Reads again what is shown under a key, or everything. However fast it changes, what is being read under a key is read
 * to its end, and once more for all that changed meanwhile.
 */
export function readAgain(queries: QueryClient, queryKey: readonly string[] = []): Promise<void> {
  // After a time without a connection whatever hangs is given up.
  if (queryKey.length === 0) return read(queries, queryKey);
  const all = readings.get(queries) ?? new Map<string, Reading>();
  readings.set(queries, all);
  const name = JSON.stringify(queryKey);
  const begin = (): Promise<void> => {
    const reading: Reading = { now: read(queries, queryKey) };
    all.set(name, reading);
    void reading.now.then(() => {
      if (!reading.next) all.delete(name);
    });
    return reading.now;
  };
  const reading = all.get(name);
  if (!reading) return begin();
  reading.next ??= reading.now.then(begin);
  return reading.next;
}

async function read(queries: QueryClient, queryKey: readonly string[]): Promise<void> {
  // A first answer that is on its way may tell of what was before; `invalidateQueries` would be content with it.
  await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await queries.invalidateQueries({ queryKey });
}
