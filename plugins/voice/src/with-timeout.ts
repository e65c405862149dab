import { raceWithSignal } from "@parley/core/async";
import { voiceTexts } from "./texts.ts";

/** Resolves with the work. Rejects when `signal` aborts first, with `timed_out` if that was the timeout. */
export async function withTimeout<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  try {
    return await raceWithSignal(work, signal);
  } catch (error) {
    const isOver = error instanceof Error && error.name === "TimeoutError";
    throw isOver ? voiceTexts.error("timed_out", "model_late", {}, { cause: error }) : error;
  }
}
