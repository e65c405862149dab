import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { RestoreWay } from "@parley/core";

export interface StartedAs {
  readonly execPath: string;
  readonly execArgv: readonly string[];
  /** The program. */
  readonly file: string;
  readonly platform: NodeJS.Platform;
  /** npm runs it: which of the scripts. */
  readonly script: string | undefined;
  /** It is what the container is there for. */
  readonly isContainer: boolean;
}

export interface RestoreWayParts {
  /** The folder of config.ini. */
  readonly root: string;
  readonly data: string;
  /** The configuration file, where it was named. */
  readonly config: string | undefined;
  readonly keeper: string | undefined;
  readonly started: StartedAs;
}

/** How this process was started. */
export function startedAs(): StartedAs {
  const { argv, execArgv, execPath, platform, env, pid, ppid } = process;
  const isBoxed = ["/.dockerenv", "/run/.containerenv"].some((file) => existsSync(file));
  return {
    execPath,
    execArgv,
    file: argv[1] ?? "",
    platform,
    script: env.npm_lifecycle_event,
    // Who works in a container with a shell of its own does as elsewhere.
    isContainer: isBoxed && (pid === 1 || ppid === 1),
  };
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

/** As people call it here; what is none of the ways that we describe, as it was called. */
function commandOf(root: string, { execPath, execArgv, file, script }: StartedAs): readonly string[] {
  const isClone = file === join(root, "host", "src", "main.ts");
  if (isClone && script === "start") return ["npm", "start", "--"];
  if (basename(file).startsWith("parley") && existsSync(join(root, "node_modules", ".bin", "parley")))
    return ["npx", "parley"];
  return [execPath, ...execArgv, resolve(file)];
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

function quoted(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === "win32" || !word.includes("\\"))) return word;
  return platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
