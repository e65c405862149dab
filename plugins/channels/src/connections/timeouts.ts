import { AppError, type ChannelLink } from "@parley/core";
import { raceWithSignal, rejectAfter } from "@parley/core/async";
import { channelsTexts } from "../texts.ts";

const OPEN_TIMEOUT_MS = 60_000;
const ACK_TIMEOUT_MS = 1_500;

/** Waits for a connection until it times out or is aborted. A connection that opens later is closed at once. */
export async function openWithTimeout(
  opening: Promise<ChannelLink>,
  abort: AbortController,
  onCloseFailed: (error: unknown) => void,
): Promise<ChannelLink> {
  const { signal } = abort;
  const timer = setTimeout(
    () => abort.abort(channelsTexts.error("timed_out", "open_late", { seconds: OPEN_TIMEOUT_MS / 1000 })),
    OPEN_TIMEOUT_MS,
  );
  try {
    return await raceWithSignal(opening, signal);
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
export function withAckTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const createError = () => new AppError("unavailable", "the message could not be stored in time", { retryAfterS: 5 });
  return rejectAfter(work, ACK_TIMEOUT_MS, createError);
}
