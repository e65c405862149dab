import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (how: { readonly type: "major"; readonly execution: "sync"; readonly flavor: "last-resort" }) => void;

/**
 * Gives back to the system what only the start needed. V8 collects while memory is asked for; a service that waits for
 * its first message asks for none, and would keep a third more than it uses. Takes about 0.1 s.
 */
export function collectStartGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: Collect = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
