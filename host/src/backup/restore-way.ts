import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { RestoreWay } from "@parley/core";
import { commandOf, quoted, type StartedAs } from "../own-command.ts";

export interface RestoreWayParts {
  /** The folder of config.ini. */
  readonly root: string;
  readonly data: string;
  /** The configuration file, where it was named. */
  readonly config: string | undefined;
  readonly keeper: string | undefined;
  readonly started: StartedAs;
}

/** The way of a backup back into the data folder, for who sits at the machine. */
export function restoreWay(backup: string, parts: RestoreWayParts): RestoreWay {
  const { root, data, config, keeper, started } = parts;
  const rows_in = keeper ?? null;
  if (started.isContainer) return { ...inContainer(backup, data), rows_in };
  const aside = freeName(`${data}-before-restore`);
  const from = isBelow(data, backup) ? join(aside, relative(data, backup)) : backup;
  // The first line goes to the folder.
  const near = (path: string) => (isBelow(root, path) ? relative(root, path) : path);
  const line = (...words: readonly string[]) => words.map((word) => quoted(word, started.platform)).join(" ");
  const flags = [...(config ? ["--config", near(config)] : []), "--data-dir", near(data)];
  const isWindows = started.platform === "win32";
  const commands = [
    line("cd", ...(isWindows ? ["/d"] : []), root),
    line(isWindows ? "move" : "mv", near(data), near(aside)),
    line(...commandOf(root, started), "restore", near(from), ...flags),
  ];
  return { commands, is_container: false, aside, rows_in };
}

/** A volume cannot be moved aside: another one takes its place. Names are those of server/deploy/Dockerfile. */
function inContainer(backup: string, data: string) {
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

function isBelow(folder: string, path: string): boolean {
  return resolve(path).startsWith(resolve(folder) + sep);
}

function freeName(wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = join(dirname(wanted), `${basename(wanted)}${count === 1 ? "" : `-${count}`}`);
    if (!existsSync(name)) return name;
  }
}
