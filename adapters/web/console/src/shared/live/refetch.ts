import type { QueryClient } from "@tanstack/react-query";

interface Refetch {
  readonly running: Promise<void>;
  /** The refetch for changes that arrive while one is running. */
  queued?: Promise<void>;
}

const refetches = new WeakMap<QueryClient, Map<string, Refetch>>();

/** Refetches the mounted queries under a key, or all of them. A running refetch completes, and one more follows for all changes in the meantime. */
export function refetch(queries: QueryClient, queryKey: readonly string[] = []): Promise<void> {
  // After a time without a connection whatever hangs is given up.
  if (queryKey.length === 0) return runRefetch(queries, queryKey);
  const all = refetches.get(queries) ?? new Map<string, Refetch>();
  refetches.set(queries, all);
  const name = JSON.stringify(queryKey);
  const begin = (): Promise<void> => {
    const reading: Refetch = { running: runRefetch(queries, queryKey) };
    all.set(name, reading);
    void reading.running.then(() => {
      if (!reading.queued) all.delete(name);
    });
    return reading.running;
  };
  const reading = all.get(name);
  if (!reading) return begin();
  reading.queued ??= reading.running.then(begin);
  return reading.queued;
}

async function runRefetch(queries: QueryClient, queryKey: readonly string[]): Promise<void> {
  // A first answer that is on its way may tell of what was before; `invalidateQueries` would be content with it.
  await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await queries.invalidateQueries({ queryKey });
}
