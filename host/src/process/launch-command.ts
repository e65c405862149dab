import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";

export interface Launch {
  readonly execPath: string;
  readonly execArgv: readonly string[];
  /** Path of the program. */
  readonly file: string;
  readonly platform: NodeJS.Platform;
  /** The npm script that started it, if any. */
  readonly script: string | undefined;
  /** True when Parley is the main process of a container. */
  readonly isContainer: boolean;
}

/** Returns the way this process was started. */
export function readLaunch(): Launch {
  const { argv, execArgv, execPath, platform, env, pid, ppid } = process;
  const isBoxed = ["/.dockerenv", "/run/.containerenv"].some((file) => existsSync(file));
  return {
    execPath,
    execArgv,
    file: argv[1] ?? "",
    platform,
    script: env.npm_lifecycle_event,
    // A shell inside a container is used like any other terminal.
    isContainer: isBoxed && (pid === 1 || ppid === 1),
  };
}

/** Returns the command that people use here; for an undocumented way, the command as it was called. */
export function toLaunchCommand(root: string, { execPath, execArgv, file, script }: Launch): readonly string[] {
  const isClone = file === join(root, "host", "cli", "src", "main.ts");
  if (isClone && script === "start") return ["npm", "start", "--"];
  if (basename(file).startsWith("parley") && existsSync(join(root, "node_modules", ".bin", "parley")))
    return ["npx", "--no", "parley"];
  return [execPath, ...execArgv, resolve(file)];
}

/** Quotes an argument for a terminal. */
export function quoteArgument(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === "win32" || !word.includes("\\"))) return word;
  return platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
