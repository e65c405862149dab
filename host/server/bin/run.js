import { createFolder } from "@parley/create";
import { runCommand } from "@parley/host/command";
import { whenStarterIsGone } from "./when-starter-is-gone.js";

// As anybody else ends it: what is under way is finished.
if (process.env.npm_lifecycle_event) whenStarterIsGone(() => process.kill(process.pid, "SIGTERM"));

await runCommand({ init: () => createFolder(process.cwd()) });
