import { deadline } from "@parley/core";

/** Runs `work` with a timeout; rejects with the reason of the signal when that aborts first, whatever `work` does. */
export async function withTimeout<Value>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => PromiseLike<Value>,
): Promise<Value> {
  using limit = deadline(ms, signal);
  limit.signal.throwIfAborted();
  return await rejectOnAbort(work(limit.signal), limit.signal);
}

/** Resolves with the work, or rejects with the signal's reason as soon as it aborts. */
export function rejectOnAbort<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(
      (value) => {
        signal.removeEventListener("abort", abort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", abort);
        reject(signal.aborted ? signal.reason : error);
      },
    );
  });
}
