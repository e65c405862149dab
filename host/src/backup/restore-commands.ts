import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { RestoreInstructions } from "@parley/core";
import { isBelow } from "../process/file-system.ts";
import { type Launch, quoteArgument, toLaunchCommand } from "../process/launch-command.ts";

export interface RestoreCommandsOptions {
  /** Folder of config.ini. */
  readonly root: string;
  readonly data: string;
  /** Path of the configuration file, if given. */
  readonly config: string | undefined;
  readonly storagePackage: string | undefined;
  readonly started: Launch;
}

/** Returns the commands that restore a backup into the data folder, for a person at the machine. */
export function createRestoreCommands(backup: string, parts: RestoreCommandsOptions): RestoreInstructions {
  const { root, data, config, storagePackage, started } = parts;
  const rows_in = storagePackage ?? null;
  if (started.isContainer) return { ...createContainerCommands(backup, data), rows_in };
  const previousFolder = findFreeName(`${data}-before-restore`);
  const from = isBelow(data, backup) ? join(previousFolder, relative(data, backup)) : backup;
  // The first line changes to the folder, so paths below it are relative.
  const toRelative = (path: string) => (isBelow(root, path) ? relative(root, path) : path);
  const line = (...words: readonly string[]) => words.map((word) => quoteArgument(word, started.platform)).join(" ");
  const flags = [...(config ? ["--config", toRelative(config)] : []), "--data-dir", toRelative(data)];
  const isWindows = started.platform === "win32";
  const commands = [
    line("cd", ...(isWindows ? ["/d"] : []), root),
    line(isWindows ? "move" : "mv", toRelative(data), toRelative(previousFolder)),
    line(...toLaunchCommand(root, started), "restore", toRelative(from), ...flags),
  ];
  return { commands, is_container: false, aside: previousFolder, rows_in };
}

/** Creates the commands for a container. A volume cannot be moved, so another one replaces it. Names are those of host/server/deploy/Dockerfile. */
function createContainerCommands(backup: string, data: string) {
  const from = ["/before", ...relative(data, backup).split(sep)].join("/");
  const volume = `parley-restored:${data}`;
  const commands = [
    "docker stop parley",
    `docker run --rm -v parley-data:/before:ro -v ${volume} parley restore ${from}`,
    "docker rm parley",
    `docker run -d --name parley -p 127.0.0.1:5000:5000 -v ${volume} parley`,
  ];
  return { commands, is_container: true, aside: null };
}

function findFreeName(wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = join(dirname(wanted), `${basename(wanted)}${count === 1 ? "" : `-${count}`}`);
    if (!existsSync(name)) return name;
  }
}
