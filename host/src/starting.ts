import { AppError, type Localized, type Logger, type Resolver } from "@parley/core";
import type { AcrossReloads } from "./across-reloads.ts";
import type { Declared } from "./declaring.ts";
import { failureIn } from "./packages/import-problem.ts";
import { failureSaying, sentence, verbatim } from "./sentences.ts";

const SLOW_MS = 5_000;
const STOP_WITHIN_MS = 10_000;
const RELEASE_WITHIN_MS = 3_000;

export interface StartParts {
  readonly from: Resolver;
  readonly log: Logger;
  readonly acrossReloads: AcrossReloads;
  readonly withinMs: number;
  /** How long a third party may take to release one thing. Default 3 s. */
  readonly releaseWithinMs?: number | undefined;
  /** Default: `start`. */
  readonly step?: "start" | "ready";
}

/** Takes one step of one plugin; what it acquired is released when that fails, and when the scope is disposed. */
export async function startOne(
  { loaded, config }: Declared,
  scope: AsyncDisposableStack,
  { from, log, acrossReloads, withinMs, releaseWithinMs = RELEASE_WITHIN_MS, step = "start" }: StartParts,
): Promise<void> {
  const { entry, plugin, isThirdParty } = loaded;
  const still = `plugin '${entry.id}' is still starting: it is given up after ${withinMs / 1000} s`;
  const slow = setTimeout(() => log.warn(still, { plugin: entry.id }), SLOW_MS);
  const released = async (release: () => void | Promise<void>) => {
    // One that never ends must not keep what the others acquired.
    const limit = isThirdParty ? releaseWithinMs : STOP_WITHIN_MS;
    try {
      await within((async () => release())(), limit, verbatim(`it did not end within ${limit / 1000} s`));
    } catch (error) {
      log.error(`plugin '${entry.id}' could not release what it had acquired`, { plugin: entry.id, error });
    }
  };
  const defer = (release: () => void | Promise<void>) => {
    if (typeof release !== "function")
      throw new AppError("bad_request", "defer takes a function that releases what was acquired");
    if (!scope.disposed) scope.defer(() => released(release));
    // A start that was given up may still acquire: it is released at once.
    else void released(release);
  };
  const start = async () =>
    plugin?.[step]?.({
      ...from,
      config: config as never,
      log: log.child({ plugin: entry.id }),
      defer,
      acrossReloads(name, make, end) {
        const open = acrossReloads.take(entry.id, name, make);
        defer(() => acrossReloads.leave(entry.id, name, open, end));
        return open;
      },
    });
  try {
    await within(start(), withinMs, sentence("not_in_time", { step, seconds: withinMs / 1000 }));
    if (step === "start") log.debug("plugin started", { plugin: entry.id });
  } catch (error) {
    await disposeWithin(scope, log);
    throw failureSaying("unavailable", sentence("step_failed", { step, reason: failureIn(error, loaded) }), {
      cause: error,
    });
  } finally {
    clearTimeout(slow);
  }
}

export async function disposeWithin(stack: AsyncDisposableStack, log: Logger): Promise<void> {
  try {
    await within(stack.disposeAsync(), STOP_WITHIN_MS, verbatim(`not released within ${STOP_WITHIN_MS / 1000} s`));
  } catch (error) {
    log.error("a plugin could not release everything", { error });
  }
}

export async function within<T>(promise: Promise<T>, ms: number, said: Localized): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failureSaying("timed_out", said)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
