import { existsSync } from "node:fs";

/** Exit code by which the service asks its starter for another start. */
const RESTART_EXIT_CODE = 75;
/** Variable with the process id of the program that restarts the service; other child programs ignore it. */
const STARTER_VARIABLE = "PARLEY_STARTER";

/** Creates the function that ends this stopped process so that the service starts again; undefined when nothing would start it. */
export function createRestart(exit: (code: number) => void): (() => void) | undefined {
  const { argv, channel, env, execArgv, execPath, ppid } = process;
  if (env[STARTER_VARIABLE] === String(ppid)) return () => exit(RESTART_EXIT_CODE);
  const begun = [execPath, argv[1] ?? ""];
  // A connected starter would regard the closed connection as the end, and Windows cannot replace a process.
  if (channel || !process.execve || !begun.every((file) => existsSync(file))) return undefined;
  // The process id stays the same, so systemd, a container or a terminal sees no end.
  return () => process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], env);
}
