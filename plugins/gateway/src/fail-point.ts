import type { Environment } from "@parley/core";

/** Ends the process where a test wants it to end. Inert unless `SVC_TEST=1`. */
export type FailPoint = (name: string) => void;

/** `SVC_FAILPOINT=<name>[@n]`: SIGKILL of itself when the named place is reached for the n-th time. */
export function createFailPoint(environment: Environment): FailPoint {
  const [, wanted, nth = "1"] = /^([a-z-]+)(?:@(\d+))?$/.exec(environment.get("SVC_FAILPOINT") ?? "") ?? [];
  if (environment.get("SVC_TEST") !== "1" || wanted === undefined) return () => {};
  let reached = 0;
  return (name) => {
    if (name !== wanted) return;
    reached += 1;
    if (reached === Number(nth)) process.kill(process.pid, "SIGKILL");
  };
}
