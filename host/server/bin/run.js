import { runCommand } from "@parley/cli/command";
import { createFolder } from "@parley/create";

await runCommand({ init: () => createFolder(process.cwd()) });
