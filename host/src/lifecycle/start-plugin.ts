import { AppError, type Logger, type Resolver } from "@parley/core";
import { describeFailure } from "../packages/import-problem.ts";
import type { DeclaredPlugin } from "../plugins/declare-plugins.ts";
import { createError, sentence, verbatim } from "../sentences.ts";
import type { ReloadHandover } from "./reload-handover.ts";
import { withTimeout } from "./with-timeout.ts";

const SLOW_MS = 5_000;
const STOP_TIMEOUT_MS = 10_000;
const RELEASE_TIMEOUT_MS = 3_000;

export interface StartDeps {
  readonly from: Resolver;
  readonly log: Logger;
  readonly acrossReloads: ReloadHandover;
  readonly withinMs: number;
  /** Timeout for a third-party plugin to release one resource, in milliseconds. Default 3 s. */
  readonly releaseWithinMs?: number | undefined;
  /** Default: `start`. */
  readonly step?: "start" | "ready";
}

/** Runs one step of a plugin; acquired resources are released when it fails, and when the scope is disposed. */
export async function startPlugin(
  { loaded, config }: DeclaredPlugin,
  scope: AsyncDisposableStack,
  { from, log, acrossReloads, withinMs, releaseWithinMs = RELEASE_TIMEOUT_MS, step = "start" }: StartDeps,
): Promise<void> {
  const { entry, plugin, isThirdParty } = loaded;
  const warning = `plugin '${entry.id}' is still starting: it is given up after ${withinMs / 1000} s`;
  const slowTimer = setTimeout(() => log.warn(warning, { plugin: entry.id }), SLOW_MS);
  const releaseOne = async (release: () => void | Promise<void>) => {
    // A release that hangs must not keep other resources open.
    const limit = isThirdParty ? releaseWithinMs : STOP_TIMEOUT_MS;
    try {
      await withTimeout((async () => release())(), limit, verbatim(`it did not end within ${limit / 1000} s`));
    } catch (error) {
      log.error("a plugin could not release a resource", { plugin: entry.id, error });
    }
  };
  const defer = (release: () => void | Promise<void>) => {
    if (typeof release !== "function")
      throw new AppError("bad_request", "defer takes a function that releases what was acquired");
    if (!scope.disposed) scope.defer(() => releaseOne(release));
    // A start past its timeout may still acquire resources, which are released at once.
    else void releaseOne(release);
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
    await withTimeout(start(), withinMs, sentence("not_in_time", { step, seconds: withinMs / 1000 }));
    if (step === "start") log.debug("plugin started", { plugin: entry.id });
  } catch (error) {
    await disposeWithTimeout(scope, log);
    throw createError("unavailable", sentence("step_failed", { step, reason: describeFailure(error, loaded) }), {
      cause: error,
    });
  } finally {
    clearTimeout(slowTimer);
  }
}

export async function disposeWithTimeout(stack: AsyncDisposableStack, log: Logger): Promise<void> {
  try {
    await withTimeout(
      stack.disposeAsync(),
      STOP_TIMEOUT_MS,
      verbatim(`not released within ${STOP_TIMEOUT_MS / 1000} s`),
    );
  } catch (error) {
    log.error("a plugin could not release all its resources", { error });
  }
}
