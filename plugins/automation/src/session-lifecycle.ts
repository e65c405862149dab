import type { RecordPart } from "@parley/core";
import type { RunStore } from "./runs/run-store.ts";

/** A conversation that goes is no longer the one that runs are shown in. */
export function sessionLifecycle({ store }: { readonly store: RunStore }): RecordPart {
  return { id: "automation.runs", of: "session", removed: async (id) => store.clearSessionWrites(id) };
}
