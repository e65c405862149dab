import { AppError } from "@parley/core";
import type { JobStore, RunRef } from "../store/job-store.ts";
import { jobsTexts } from "../texts.ts";
import type { FailPoint } from "./fail-point.ts";

const MAX_NAME_CHARS = 200;
const MAX_RESULT_BYTES = 64 * 1024;

/** The steps of one run, each done once. */
export interface Steps {
  once<Result>(name: string, step: () => Promise<Result>): Promise<Result>;
  /** True for the error of a step that may have happened, but has no stored result. */
  isInterruption(error: unknown): error is AppError;
}

export interface StepsDeps {
  readonly store: JobStore;
  readonly run: RunRef;
  readonly signal: AbortSignal;
  readonly failPoint: FailPoint;
}

export function createSteps({ store, run, signal, failPoint }: StepsDeps): Steps {
  const interruptions = new WeakSet<Error>();
  const createInterruption = (name: string) => {
    const error = jobsTexts.error("conflict", "interrupted", { name });
    interruptions.add(error);
    return error;
  };
  return {
    async once<Result>(name: string, step: () => Promise<Result>) {
      if (typeof name !== "string" || name === "" || name.length > MAX_NAME_CHARS) {
        throw new AppError("bad_request", `the name of a step has 1 to ${MAX_NAME_CHARS} characters`);
      }
      const earlier = await store.findStep(run.id, name);
      if (earlier?.state === "done") return JSON.parse(earlier.result ?? "null") as Result;
      if (earlier) throw createInterruption(name);
      signal.throwIfAborted();
      await store.startStep(run, name);
      failPoint("job-step-started");
      const result = await step().catch(async (error: unknown) => {
        // An aborted step may have happened.
        if (!signal.aborted) await store.dropStep(run, name);
        throw error;
      });
      failPoint("job-step-happened");
      const text = JSON.stringify(result ?? null);
      // The step happened, but its result cannot be stored.
      if (text.length > MAX_RESULT_BYTES) throw createInterruption(name);
      await store.endStep(run, name, text);
      failPoint("job-step-done");
      return result;
    },
    isInterruption: (error): error is AppError => error instanceof Error && interruptions.has(error),
  };
}
