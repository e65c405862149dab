import { deadline } from "@parley/core";
import { raceWithSignal } from "@parley/core/async";

/** Runs `work` with a timeout; rejects with the reason of the signal when that aborts first, whatever `work` does. */
export async function withTimeout<Value>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => PromiseLike<Value>,
): Promise<Value> {
  using limit = deadline(ms, signal);
  limit.signal.throwIfAborted();
  return await raceWithSignal(work(limit.signal), limit.signal);
}
