import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { type Localized, toLocalized } from "@parley/core";
import { settlesWithin } from "@parley/core/async";
import { mcpBridgeTexts } from "../../texts.ts";
import { findDescendants, killAll } from "./process-tree.ts";

const STDIN_CLOSE_GRACE_MS = 5_000;
const SIGTERM_GRACE_MS = 2_000;
const STDERR_BUFFER_SIZE = 64 * 1024;
const STDERR_TAIL_SIZE = 2 * 1024;

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Complete environment of the process; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** The working folder of the process; created if missing. */
  readonly folder: string;
}

/** A server process, with all processes it starts. */
export interface Child {
  readonly process: ChildProcess;
  /** Returns the exit reason and the end of stderr; undefined while it runs without output. */
  exitReason(): Localized | undefined;
  /** Resolves when it has ended and everything it wrote is read. */
  readonly exited: Promise<void>;
  /**
   * Ends the process: closes stdin, after 5 s sends SIGTERM, after 2 s SIGKILL, also to its descendants outside the
   * group. A misbehaving process does not get the 5 s.
   */
  stop(isMisbehaved: boolean): Promise<void>;
}

/** Starts a process in a separate process group, without a shell; rejects with `unavailable` without the command. */
export async function startChild({ command, args, env, folder }: ChildOptions): Promise<Child> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const child = spawn(command, [...args], {
    cwd: folder,
    env: { ...env },
    stdio: ["pipe", "pipe", "pipe"],
    shell: false,
    // The process has its own group, because runners leave the server behind when only they are ended.
    detached: true,
  });
  let stderrText = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderrText = (stderrText + chunk.toString("utf8")).slice(-STDERR_BUFFER_SIZE);
  });
  // A broken pipe needs no handling: the end of the process reports it.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", () => {});
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await Promise.race([once(child, "spawn"), once(child, "error").then(([error]) => Promise.reject(error))]).catch(
    (cause: Error) => {
      throw mcpBridgeTexts.error("unavailable", "not_started", { command, message: cause.message }, { cause });
    },
  );
  child.on("error", () => {});
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch (error) {
      // The group has no process left.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  // After the process has ended, another one may have its id.
  const findStarted = () =>
    child.pid !== undefined && child.exitCode === null && child.signalCode === null ? findDescendants(child.pid) : [];
  const exitsWithin = (ms: number) => settlesWithin(exited, ms);
  return {
    process: child,
    exited,
    exitReason() {
      const how = toExitReason(child);
      const words = stderrText.slice(-STDERR_TAIL_SIZE).trim();
      if (words === "" || !how) return how ?? (words === "" ? undefined : { en: words, zh: words });
      return { en: `${how.en}: ${words}`, zh: `${how.zh}：${words}` };
    },
    async stop(isMisbehaved) {
      // Descendants can be found only while their parents run.
      const started = await findStarted();
      child.stdin?.end();
      if (isMisbehaved || !(await exitsWithin(STDIN_CLOSE_GRACE_MS))) {
        signal("SIGTERM");
        await exitsWithin(SIGTERM_GRACE_MS);
      }
      const later = await findStarted();
      signal("SIGKILL");
      await killAll([...started, ...later]);
      await exited;
    },
  };
}

function toExitReason({ exitCode, signalCode }: ChildProcess): Localized | undefined {
  if (exitCode !== null) return toLocalized(mcpBridgeTexts.error("unavailable", "ended_with", { code: exitCode }));
  return signalCode ? toLocalized(mcpBridgeTexts.error("unavailable", "ended_by", { signal: signalCode })) : undefined;
}
