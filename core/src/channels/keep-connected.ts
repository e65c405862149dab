import { sleep } from "../async/time-limits.ts";
import { AppError, DeliveryError } from "../errors.ts";
import type { ChannelIo } from "../points/turn/channel-link.ts";

const RETRY_DELAYS_MS = [1_000, 60_000] as const;
/**
 * Time after which a connection counts as stable, unless the longest pause is shorter; below half a minute, because some proxies
 * close connections that are idle for so long.
 */
const STABLE_AFTER_MS = 10_000;
/** A bound that doubles more often is above every longest pause. */
const MAX_DOUBLINGS = 16;

/** Options of `keepConnected`: how to connect to the platform and how to retry. */
export interface KeepConnectedOptions {
  readonly io: Pick<ChannelIo, "report">;
  /**
   * Opens one connection, calls `opened` once the platform has accepted it, and serves it until it ends, at the latest when the signal
   * aborts. Rejects with the reason it failed or ended; `retryAfterMs` or `retryAfterS` of the error delays the next attempt.
   */
  readonly connect: (opened: () => void, signal: AbortSignal) => Promise<void>;
  /** First and longest pause between two attempts, in milliseconds. Default: one second and one minute. */
  readonly pauseMs?: readonly [first: number, longest: number];
  /** Random number from 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * Keeps a connection to a platform open: connects at once and again whenever it ends, and reports its state. Each pause is random below
 * a bound that doubles with every attempt, so that clients disconnected together do not reconnect together; after a connection of ten
 * seconds, or of the longest pause if shorter, the bound starts again. Disposing aborts the connection and waits for `connect`.
 */
export function keepConnected({
  io,
  connect,
  pauseMs: [firstMs, longestMs] = RETRY_DELAYS_MS,
  random = Math.random,
}: KeepConnectedOptions): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const connectOnce = async (): Promise<{ readonly lastedMs: number; readonly askedMs: number | undefined }> => {
    let openedMs: number | undefined;
    const lastedMs = () => (openedMs === undefined ? 0 : performance.now() - openedMs);
    const opened = () => {
      openedMs = performance.now();
      if (!signal.aborted) io.report({ connected: true });
    };
    try {
      await connect(opened, signal);
      if (!signal.aborted) io.report({ connected: false });
      return { lastedMs: lastedMs(), askedMs: undefined };
    } catch (error) {
      if (!signal.aborted) io.report({ connected: false, ...toReport(error) });
      return { lastedMs: lastedMs(), askedMs: getRetryMs(error) };
    }
  };
  const run = async () => {
    for (let tries = 0; !signal.aborted; tries += 1) {
      const { lastedMs, askedMs } = await connectOnce();
      if (lastedMs >= Math.min(longestMs, STABLE_AFTER_MS)) tries = 0;
      const bound = Math.min(longestMs, firstMs * 2 ** Math.min(tries, MAX_DOUBLINGS));
      await sleep(askedMs ?? random() * bound, signal);
    }
  };
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

/** Returns how long an error asks to wait; undefined when it does not say. */
function getRetryMs(error: unknown): number | undefined {
  if (AppError.is(error)) return error.retryAfterS === undefined ? undefined : error.retryAfterS * 1_000;
  return (error as { readonly retryAfterMs?: number } | undefined)?.retryAfterMs;
}

function toReport(error: unknown) {
  const detail = AppError.is(error) || DeliveryError.is(error) ? error.detail : undefined;
  return { error: error instanceof Error ? error.message : String(error), ...(detail && { detail }) };
}
