import { HEARTBEAT } from "../heartbeat/heartbeat-schema.ts";
import { automationTexts } from "../texts.ts";
import type { RunKind } from "./tables.ts";

const TASK = { field: "task_id" };

/** Returns the kind of a record by its id. */
export function toRunKind(id: string): RunKind {
  if (id === HEARTBEAT) return "heartbeat";
  return id.startsWith("wf_") ? "workflow" : "task";
}

/** Throws `bad_request` for records that have other routes. */
export function assertIsTask(id: string): void {
  const kind = toRunKind(id);
  if (kind === "heartbeat") throw automationTexts.error("bad_request", "heartbeat_elsewhere", {}, TASK);
  if (kind === "workflow") throw automationTexts.error("bad_request", "workflow_elsewhere", {}, TASK);
}
