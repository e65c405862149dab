import { existsSync, readFileSync } from "node:fs";
import type { Environment } from "@parley/core";

/** Fail points at which a test may end the process, in the order a job passes them. */
export const FAIL_POINTS = [
  "schedule-fired",
  "job-added",
  "job-claimed",
  "job-step-started",
  "job-step-happened",
  "job-step-done",
  "job-ran",
  "job-ended",
] as const;

/** Ends the process at a point that a test has chosen. Does nothing unless `SVC_TEST=1`. */
export type FailPoint = (name: (typeof FAIL_POINTS)[number]) => void;

/** Creates the fail points. `SVC_FAILPOINT=<name>`, or `file:<path>` of a file with the name, sends SIGKILL there. */
export function createFailPoint(environment: Environment): FailPoint {
  const given = environment.get("SVC_FAILPOINT") ?? "";
  if (environment.get("SVC_TEST") !== "1" || given === "") return () => {};
  const file = given.startsWith("file:") ? given.slice("file:".length) : undefined;
  return (name) => {
    const wanted = file === undefined ? given : readName(file);
    if (wanted === name) process.kill(process.pid, "SIGKILL");
  };
}

function readName(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}
