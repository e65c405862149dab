import type { Logger } from "@parley/core";
import { createEventLoopMonitor } from "./event-loop-monitor.ts";
import { findErrorSource, type PluginLocation } from "./uncaught-errors.ts";

const CHECK_EVERY_MS = 1_000;
const MIN_LAG_MS = 1_000;

let blockedMs = 0;

/** Returns the total seconds for which the event loop was blocked since the start, counting blocks of more than a second. */
export function getBlockedSeconds(): number {
  return blockedMs / 1000;
}

export interface EventLoopLagDeps {
  readonly log: Logger;
  /** Locations of plugin code once third-party code is loaded; a thread then finds the blocking plugin. */
  readonly locations?: () => readonly PluginLocation[] | undefined;
}

/** Logs when the event loop was blocked for more than a second, with the plugin whose code ran, where known. */
export function watchEventLoopLag({ log, locations }: EventLoopLagDeps): Disposable {
  let due = performance.now() + CHECK_EVERY_MS;
  let used = process.cpuUsage();
  const onError = (error: unknown) => log.warn("the event-loop monitor stopped", { error });
  const createMonitor = () => {
    const found = locations?.();
    return found && createEventLoopMonitor({ locations: found, onError });
  };
  let monitor = createMonitor();
  const timer = setInterval(() => {
    const late = performance.now() - due;
    const stack = monitor?.takeBlockedStack() ?? [];
    if (late > MIN_LAG_MS) {
      blockedMs += late;
      const { user, system } = process.cpuUsage(used);
      const found = describeSource(stack, locations?.() ?? []);
      log.warn("the event loop was blocked: nothing was answered in that time", {
        blocked_ms: Math.round(late),
        cpu_ms: Math.round((user + system) / 1000),
        ...found,
      });
    }
    monitor ??= createMonitor();
    due = performance.now() + CHECK_EVERY_MS;
    used = process.cpuUsage();
  }, CHECK_EVERY_MS);
  timer.unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      monitor?.[Symbol.dispose]();
    },
  };
}

function describeSource(stack: readonly string[], places: readonly PluginLocation[]) {
  if (stack.length === 0) return {};
  const { plugin } = findErrorSource(Object.assign(new Error(), { stack: stack.join("\n") }), places);
  const at = stack.slice(0, 5).map((line) => line.trim());
  return { ...(plugin !== undefined && { plugin }), at };
}
