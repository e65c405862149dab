import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const repository = dirname(dirname(import.meta.dirname));
/** Compile cache of Node, shared between starts as with `npm start`. */
const compileCacheFolder = join(repository, ".parley", "compile-cache");

/** The service as a process of its own, as people start it. */
export interface ParleyProcess {
  readonly address: string;
  readonly child: ChildProcess;
  /** Output so far, stdout and stderr. */
  output(): string;
  /** Resolves with the exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<number | string>;
}

export interface ProcessOptions {
  /** The service folder with config.ini and data. */
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Path of the installed command. Default: the sources. */
  readonly command?: string;
  /** `pipe` opens stdin for writing. Default: stdin is empty. */
  readonly stdin?: "pipe";
  /** True applies file permissions to the service even when the tests run as root. */
  readonly isBoundByRights?: boolean;
  /** Resource limits as for `prlimit`: `--nofile=32`. */
  readonly limits?: readonly string[];
  /** True runs the published packages (`npm run build`) instead of the sources. Default: by `PARLEY_BUILT`. */
  readonly isBuilt?: boolean;
}

/** Command of the service: from published packages (`npm run build`) or from sources. Default: by `PARLEY_BUILT`. */
export function serviceCommand(isBuilt = process.env.PARLEY_BUILT !== undefined): readonly string[] {
  const main = join(repository, isBuilt ? "host/server/bin/parley.js" : "host/cli/src/main.ts");
  return [process.execPath, "--max-semi-space-size=8", ...(isBuilt ? [] : ["--conditions=@parley/source"]), main];
}

const BOUND_RIGHTS_COMMAND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"];

/** Runs the command without waiting for it. */
export function runParley({
  root,
  env = {},
  args = [],
  command,
  stdin,
  isBoundByRights,
  limits = [],
  isBuilt,
}: ProcessOptions): ChildProcess {
  const bound = isBoundByRights && process.getuid?.() === 0 ? BOUND_RIGHTS_COMMAND : [];
  const limited = limits.length > 0 ? ["prlimit", ...limits, "--"] : [];
  const started = command === undefined ? serviceCommand(isBuilt) : [command];
  const [program = "", ...rest] = [...bound, ...limited, ...started, ...args];
  return spawn(program, rest, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: root, NODE_COMPILE_CACHE: compileCacheFolder, MALLOC_ARENA_MAX: "2", ...env },
    stdio: [stdin ?? "ignore", "pipe", "pipe"],
  });
}

/** Starts the service on a free port; resolves when it is ready, throws with its output when it ends before. */
export async function startProcess(options: ProcessOptions): Promise<ParleyProcess> {
  const child = runParley({ ...options, args: ["--port", "0", ...(options.args ?? [])] });
  const ended = once(child, "exit").then(([code, signal]) => (code ?? signal) as number | string);
  let output = "";
  child.stderr?.on("data", (text) => {
    output += text;
  });
  const address = new Promise<string>((resolve) => {
    if (!child.stdout) throw new Error("no stdout");
    createInterface({ input: child.stdout }).on("line", (line) => {
      output += `${line}\n`;
      const found = /^ready (http:\S+)/.exec(line)?.[1];
      if (found) resolve(found.replace(/\/$/, ""));
    });
  });
  const failed = ended.then((code): never => {
    throw new Error(`the service ended with ${code} before it was ready:\n${output}`);
  });
  return {
    address: await Promise.race([address, failed]),
    child,
    output: () => output,
    ended,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
