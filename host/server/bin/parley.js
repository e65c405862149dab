#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
import { whenStarterIsGone } from "./when-starter-is-gone.js";

// As anybody else ends it: what is under way is finished. From the first moment on, before the rest is loaded: a
// starter that is gone by then would not be missed.
if (process.env.npm_lifecycle_event) whenStarterIsGone(() => process.kill(process.pid, "SIGTERM"));

// Must be understood by every Node there is: an old one is told what it lacks, not where it stumbled.
if (Number(process.versions.node.split(".")[0]) < 24) {
  process.stderr.write(`Parley needs Node 24 or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  import("./run.js");
}
