import type { Logger } from "@parley/core";
import { blamed, type PluginPlace } from "./faults.ts";
import { createLoopWitness } from "./loop-witness.ts";

const LOOK_EVERY_MS = 1_000;
const LATE_MS = 1_000;

let standstillMs = 0;

/** How long nothing could run since the process started, counting what took more than a second. */
export function standstillSeconds(): number {
  return standstillMs / 1000;
}

export interface LoopWatchParts {
  readonly log: Logger;
  /** Where the code of plugins lies, once there is code of others: a thread then looks who keeps the process busy. */
  readonly places?: () => readonly PluginPlace[] | undefined;
}

/** Says when nothing could run for more than a second, and whose code was running where that can be told. */
export function watchLoop({ log, places }: LoopWatchParts): Disposable {
  let due = performance.now() + LOOK_EVERY_MS;
  let used = process.cpuUsage();
  const onError = (error: unknown) => log.warn("who keeps the service busy is not watched any more", { error });
  const createWitness = () => {
    const found = places?.();
    return found && createLoopWitness({ places: found, onError });
  };
  let witness = createWitness();
  const timer = setInterval(() => {
    const late = performance.now() - due;
    const stack = witness?.seen() ?? [];
    if (late > LATE_MS) {
      standstillMs += late;
      const { user, system } = process.cpuUsage(used);
      const found = whoIn(stack, places?.() ?? []);
      log.warn(
        `the service stood still for ${(late / 1000).toFixed(1)} s: nothing was answered in that time${found.told}`,
        { blocked_ms: Math.round(late), cpu_ms: Math.round((user + system) / 1000), ...found.fields },
      );
    }
    witness ??= createWitness();
    due = performance.now() + LOOK_EVERY_MS;
    used = process.cpuUsage();
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      witness?.[Symbol.dispose]();
    },
  };
}

function whoIn(stack: readonly string[], places: readonly PluginPlace[]) {
  if (stack.length === 0) return { told: "", fields: {} };
  const { plugin } = blamed(Object.assign(new Error(), { stack: stack.join("\n") }), places);
  const at = stack.slice(0, 5).map((line) => line.trim());
  if (plugin === undefined) return { told: "", fields: { at } };
  return { told: `; plugin '${plugin}' was running`, fields: { plugin, at } };
}
