import type { RecordPart } from "@parley/core";
import type { RunStore } from "./runs/run-store.ts";

/** Removes a deleted session from the records whose runs it showed. */
export function createSessionLifecycle({ store }: { readonly store: RunStore }): RecordPart {
  return { id: "automation.runs", of: "session", removed: async (id) => store.clearSessionWrites(id) };
}
