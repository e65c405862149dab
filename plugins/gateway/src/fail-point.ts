import { readFileSync } from "node:fs";
import type { Environment } from "@parley/core";

/** Fail points where a test may kill the process, in the order a message passes them. */
export const FAIL_POINTS = [
  "verified",
  "recorded",
  "committed-inbox",
  "acked",
  "leased",
  "filtered",
  "user-recorded",
  "model-start",
  "model-done",
  "draft-stored",
  "tool-started",
  "tool-done",
  "reply-filtered",
  "reply-recorded",
  "intent-written",
  "sending",
  "sent",
  "receipt-read",
  "receipt-written",
] as const;
export type FailPointName = (typeof FAIL_POINTS)[number];

/** Kills the process at this point if a test asked for it. Does nothing unless `SVC_TEST=1`. */
export type FailPoint = (name: FailPointName) => void;

/**
 * Creates the fail points. `SVC_FAILPOINT=<name>[@n]` kills the process by SIGKILL when it reaches this point for the
 * n-th time, counted from when the point is set. `SVC_FAILPOINT=file:<path>` reads the point from a file, which may be
 * written later.
 */
export function createFailPoint(environment: Environment): FailPoint {
  const spec = environment.get("SVC_FAILPOINT") ?? "";
  if (environment.get("SVC_TEST") !== "1" || spec === "") return () => {};
  const file = spec.startsWith("file:") ? spec.slice("file:".length) : undefined;
  let current = "";
  let hitCount = 0;
  return (name) => {
    const now = file === undefined ? spec : readText(file);
    if (now !== current) hitCount = 0;
    current = now;
    const [, place, nth = "1"] = /^([a-z-]+)(?:@(\d+))?$/.exec(current) ?? [];
    if (place !== name) return;
    hitCount += 1;
    if (hitCount === Number(nth)) process.kill(process.pid, "SIGKILL");
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
