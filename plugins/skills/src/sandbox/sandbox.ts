import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, extname, join } from "node:path";
import type { Sandbox, SandboxResult, SandboxRun } from "@parley/core";
import { skillsTexts } from "../texts.ts";
import { type UsageProblem, watchUsage } from "./usage-watch.ts";

const MAX_OUTPUT = 10_000;
const MEMORY_BYTES = 1024 ** 3;
/** Path at which the sandbox has the Node program, and nothing else of its folder. */
const NODE_PATH = "/run/node";
/** Limits the heap of Node itself, because Node reserves far more address space than it uses. */
const NODE_COMMAND = [NODE_PATH, "--max-old-space-size=256"];
const NODE_ADDRESSES = 64 * 1024 ** 3;
const MAX_FILE_BYTES = 16 * 1024 ** 2;
const MAX_PROCESSES = 64;
/** Open files of a process; each may hold memory of the system that belongs to no process. */
const MAX_OPEN_FILES = 256;
const TMPFS_BYTES = 64 * 1024 ** 2;
const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives"];

const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  ".py": ["python3", "-I", "-B"],
  ".sh": ["sh"],
  ".js": NODE_COMMAND,
  ".mjs": NODE_COMMAND,
  ".cjs": NODE_COMMAND,
};

/** Builds the command of a skill's script; its folder is mounted at `at`. */
export function buildScriptCommand(script: string, at: string, args: readonly string[]) {
  const interpreter = INTERPRETERS[extname(script).toLowerCase()];
  if (!interpreter) throw skillsTexts.error("bad_request", "script_form", {}, { field: "script" });
  const command = [...interpreter, join(at, script), ...args];
  return { command, ...(interpreter === NODE_COMMAND && { addressBytes: NODE_ADDRESSES }) };
}

/** Creates a sandbox with bubblewrap; `path` is searched for its program and `prlimit`. */
export function createSandbox(path: string): Sandbox {
  const findProgram = async (name: string) => {
    for (const folder of path.split(delimiter).filter((one) => one.startsWith("/"))) {
      const file = join(folder, name);
      const isThere = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return file;
    }
    throw skillsTexts.error("unavailable", "not_installed", { name });
  };
  return {
    async run(run) {
      if (process.platform !== "linux") throw skillsTexts.error("unavailable", "linux_only");
      // Isolation does not apply to root, who may write to /proc and /sys and exceeds the limits.
      if (process.getuid?.() === 0 || process.geteuid?.() === 0) throw skillsTexts.error("unavailable", "run_by_root");
      const [bwrap, prlimit] = [await findProgram("bwrap"), await findProgram("prlimit")];
      const args = [...(await buildBwrapArgs(run)), ...buildPrlimitArgs(prlimit, run), ...run.command];
      return runProcess(bwrap, args, run);
    },
  };
}

/** Builds the arguments of bubblewrap for the sandbox. */
async function buildBwrapArgs({
  folder,
  at,
  isWritable = false,
  visible = [],
}: SandboxRun): Promise<readonly string[]> {
  const there: string[] = [];
  for (const place of [...new Set([...SYSTEM_FOLDERS, ...visible])]) {
    // On many systems /bin is a link into /usr, which is mounted at its target.
    if (
      await access(place).then(
        () => true,
        () => false,
      )
    )
      there.push("--ro-bind", place, place);
  }
  const temporary = ["--size", String(TMPFS_BYTES), "--tmpfs"];
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"],
    ...["--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/tmp", "--setenv", "LANG", "C.UTF-8"],
    // Mounted before the folders that may be below it.
    ...[...temporary, "/tmp"],
    ...there,
    ...["--ro-bind", process.execPath, NODE_PATH],
    ...["--proc", "/proc", "--dev", "/dev", ...temporary, "/dev/shm", "--remount-ro", "/dev"],
    ...[isWritable ? "--bind" : "--ro-bind", folder, at, "--chdir", at, "--remount-ro", "/", "--"],
  ];
}

function buildPrlimitArgs(
  prlimit: string,
  { limitMs, addressBytes = MEMORY_BYTES, fileBytes = MAX_FILE_BYTES }: SandboxRun,
): readonly string[] {
  const seconds = Math.ceil(limitMs / 1_000);
  return [
    prlimit,
    `--as=${addressBytes}`,
    `--cpu=${seconds}`,
    `--nproc=${MAX_PROCESSES}`,
    `--fsize=${fileBytes}`,
    `--nofile=${MAX_OPEN_FILES}`,
    "--core=0",
    "--",
  ];
}

function toUsageError(what: UsageProblem): Error {
  if (what === "unreadable") return skillsTexts.error("unavailable", "no_sandbox");
  return skillsTexts.error("too_large", what === "memory" ? "much_memory" : "many_processes");
}

function runProcess(
  program: string,
  args: readonly string[],
  { limitMs, memoryBytes = MEMORY_BYTES, signal }: SandboxRun,
): Promise<SandboxResult> {
  const { promise, resolve, reject } = Promise.withResolvers<SandboxResult>();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: {}, shell: false });
  const chunks: Buffer[] = [];
  let size = 0;
  const end = (error: unknown) => {
    // All processes in the sandbox end with it.
    child.kill("SIGKILL");
    watch.stop();
    reject(error);
  };
  const timer = setTimeout(
    () => end(skillsTexts.error("timed_out", "too_late", { seconds: limitMs / 1_000 })),
    limitMs,
  );
  const watch = watchUsage(child.pid, { memoryBytes, processes: MAX_PROCESSES }, (what) => end(toUsageError(what)));
  const abort = () => end(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  const keep = (chunk: Buffer) => {
    // Further output is read and discarded, so that the program is not blocked.
    if (size < MAX_OUTPUT * 4) chunks.push(chunk);
    size += chunk.length;
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  child.once("error", (cause) => end(skillsTexts.error("unavailable", "no_sandbox", {}, { cause })));
  child.once("close", (code) => {
    clearTimeout(timer);
    watch.stop();
    signal.removeEventListener("abort", abort);
    const text = Buffer.concat(chunks).toString("utf8");
    const output = text.slice(0, MAX_OUTPUT);
    resolve({ exit_code: code, output, truncated: output.length < text.length || size > MAX_OUTPUT * 4 });
  });
  return promise;
}
