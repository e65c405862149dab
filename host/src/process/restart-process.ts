import { existsSync } from "node:fs";

/** The exit code by which the service asks the program that started it for another start. */
const RESTART_EXIT_CODE = 75;
/** Names the program that gives one: by its process id, so that it says nothing to the programs further down. */
const STARTER_VARIABLE = "PARLEY_STARTER";

/** Ends this process, which has stopped, so that the service starts again; undefined where nobody would start it. */
export function createRestart(): (() => void) | undefined {
  const { argv, channel, env, execArgv, execPath, ppid } = process;
  if (env[STARTER_VARIABLE] === String(ppid)) return () => process.exit(RESTART_EXIT_CODE);
  const begun = [execPath, argv[1] ?? ""];
  // A starter that is connected takes the end of the connection for that of the service; Windows replaces no process.
  if (channel || !process.execve || !begun.every((file) => existsSync(file))) return undefined;
  // The same process under the same number: neither systemd, a container nor a terminal sees it end.
  return () => process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], env);
}
