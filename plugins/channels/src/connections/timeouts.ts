import { AppError, type ChannelLink, resolveWithin } from "@parley/core";
import { channelsTexts } from "../texts.ts";

const OPEN_TIMEOUT_MS = 60_000;
const ACK_TIMEOUT_MS = 1_500;

/** Resolves to false when the work did not end in time. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return (
    (await resolveWithin(
      work.then(() => true),
      ms,
    )) === true
  );
}

/** Waits for a connection until it times out or is aborted. A connection that opens later is closed at once. */
export async function openWithTimeout(
  opening: Promise<ChannelLink>,
  abort: AbortController,
  onCloseFailed: (error: unknown) => void,
): Promise<ChannelLink> {
  const { signal } = abort;
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
  const timer = setTimeout(
    () => abort.abort(channelsTexts.error("timed_out", "open_late", { seconds: OPEN_TIMEOUT_MS / 1000 })),
    OPEN_TIMEOUT_MS,
  );
  try {
    return await Promise.race([opening, aborted.promise]);
  } catch (error) {
    // A failure after the abort is expected.
    if (signal.aborted)
      opening
        .then(
          (link) => link[Symbol.asyncDispose](),
          () => {},
        )
        .catch(onCloseFailed);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Awaits work; rejects with `unavailable` when it takes longer than a webhook may wait. */
export async function withAckTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const rejectLate = () =>
    reject(new AppError("unavailable", "the message could not be stored in time", { retryAfterS: 5 }));
  const timer = setTimeout(rejectLate, ACK_TIMEOUT_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
