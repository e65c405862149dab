import type { Logger } from "@parley/core";

const LOOK_EVERY_MS = 1_000;
const LATE_MS = 1_000;

let standstillMs = 0;

/** How long nothing could run since the process started, counting what took more than a second. */
export function standstillSeconds(): number {
  return standstillMs / 1000;
}

/** Says when nothing could run for more than a second. Who kept the process busy cannot be told afterwards. */
export function watchLoop(log: Logger): Disposable {
  let due = performance.now() + LOOK_EVERY_MS;
  let used = process.cpuUsage();
  const timer = setInterval(() => {
    const late = performance.now() - due;
    if (late > LATE_MS) {
      standstillMs += late;
      const { user, system } = process.cpuUsage(used);
      const fields = { blocked_ms: Math.round(late), cpu_ms: Math.round((user + system) / 1000) };
      log.warn(`the service stood still for ${(late / 1000).toFixed(1)} s: nothing was answered in that time`, fields);
    }
    due = performance.now() + LOOK_EVERY_MS;
    used = process.cpuUsage();
  }, LOOK_EVERY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
