import type { QueryClient } from "@tanstack/react-query";

/** Reads again what is shown under a key, or everything. */
export async function readAgain(queries: QueryClient, queryKey: readonly string[] = []): Promise<void> {
  // A first answer that is on its way may tell of what was before; `invalidateQueries` would be content with it.
  await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await queries.invalidateQueries({ queryKey });
}
