import { readFileSync } from "node:fs";

/**
 * Calls `tell` once npm is gone that runs this process. Between npm and this process there is a shell; npm tells it when it is
 * told to end, but it tells nobody.
 */
export function whenStarterIsGone(tell) {
  const starters = () => `${process.ppid} ${starterOfShell(process.ppid)}`;
  const first = starters();
  const timer = setInterval(() => {
    if (starters() === first) return;
    clearInterval(timer);
    tell();
  }, 500);
  timer.unref();
}

// Where the parent is npm itself, whoever started that may leave.
function starterOfShell(pid) {
  try {
    const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return /^(ba|da|a)?sh$/.test(name) ? rest.split(" ")[1] : "";
  } catch {
    // Only Linux tells it, and only there the shell stays.
    return "";
  }
}
