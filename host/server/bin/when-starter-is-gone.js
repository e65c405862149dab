import { readFileSync } from "node:fs";

/**
 * Calls `tell` once npm is gone that runs this process; at once where it is gone already. Between npm and this process there
 * is a shell; npm tells it when it is told to end, but it tells nobody.
 */
export function whenStarterIsGone(tell) {
  const first = starters();
  if (isAdopter(first.at(-1))) return tell();
  const timer = setInterval(() => {
    if (String(starters()) === String(first)) return;
    clearInterval(timer);
    tell();
  }, 500);
  timer.unref();
}

/** The process ids of the shell and of npm; of the parent alone where that is npm itself: whoever started it may leave. */
function starters() {
  const [name, shellStarter] = statusOf(process.ppid);
  return /^(ba|da|a)?sh$/.test(name) ? [process.ppid, shellStarter] : [process.ppid];
}

/** True for the process that gets those whose parent is gone; in a container npm itself may be the first one. */
function isAdopter(pid) {
  const [name] = statusOf(pid);
  return name === "systemd" || (pid === 1 && !/^(node|MainThread|npm|pnpm|yarn|bun)/.test(name));
}

/** Name and parent of a process. Only Linux tells them, and only there the shell stays. */
function statusOf(pid) {
  try {
    const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return [name, Number(rest.split(" ")[1])];
  } catch {
    return [""];
  }
}
