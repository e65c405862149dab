import { createFolder } from "@parley/create";
import { runCommand } from "@parley/host/command";

await runCommand({ init: () => createFolder(process.cwd()) });
