import type { QueryClient } from "@tanstack/react-query";

interface Refetch {
  readonly running: Promise<void>;
  /** The refetch for changes that arrive while one is running. */
  queued?: Promise<void>;
}

const refetches = new WeakMap<QueryClient, Map<string, Refetch>>();

/** Refetches the mounted queries under a key, or all of them. A running refetch completes, and one more follows for all changes in the meantime. */
export function refetch(queries: QueryClient, queryKey: readonly string[] = []): Promise<void> {
  // Everything is refetched after a lost connection, so requests that hang are not waited for.
  if (queryKey.length === 0) return runRefetch(queries, queryKey);
  const entries = refetches.get(queries) ?? new Map<string, Refetch>();
  refetches.set(queries, entries);
  const name = JSON.stringify(queryKey);
  const start = (): Promise<void> => {
    const entry: Refetch = { running: runRefetch(queries, queryKey) };
    entries.set(name, entry);
    void entry.running.then(() => {
      if (!entry.queued) entries.delete(name);
    });
    return entry.running;
  };
  const entry = entries.get(name);
  if (!entry) return start();
  entry.queued ??= entry.running.then(start);
  return entry.queued;
}

async function runRefetch(queries: QueryClient, queryKey: readonly string[]): Promise<void> {
  // A pending first response may predate the change, and `invalidateQueries` would accept it.
  await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await queries.invalidateQueries({ queryKey });
}
