import { voiceTexts } from "./texts.ts";

/** Resolves with the work. Rejects when `signal` aborts first, with `timed_out` if that was the timeout. */
export async function withTimeout<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  work.catch(() => undefined);
  try {
    if (signal.aborted) stop();
    return await Promise.race([work, promise]);
  } catch (error) {
    const isOver = error instanceof Error && error.name === "TimeoutError";
    throw isOver ? voiceTexts.error("timed_out", "model_late", {}, { cause: error }) : error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
