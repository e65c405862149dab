import type { RecordPart } from "@parley/core";
import type { RunStore } from "./run-store.ts";

/** A conversation that goes is no longer the one that runs are shown in. */
export function sessionPart({ store }: { readonly store: RunStore }): RecordPart {
  return { id: "automation.runs", of: "session", removed: async (id) => store.withoutSession(id) };
}
