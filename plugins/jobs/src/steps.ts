import { AppError } from "@parley/core";
import type { FailPoint } from "./fail-point.ts";
import type { JobStore, RunOf } from "./job-store.ts";
import { jobFailure } from "./said-failures.ts";

const MAX_NAME = 200;
const MAX_RESULT = 64 * 1024;

/** The steps of one run, each done once. */
export interface Steps {
  once<Result>(name: string, step: () => Promise<Result>): Promise<Result>;
  /** True: the run ended because the outcome of a step is not known. */
  isInterruption(error: unknown): error is AppError;
}

export interface StepsParts {
  readonly store: JobStore;
  readonly run: RunOf;
  readonly signal: AbortSignal;
  readonly failPoint: FailPoint;
}

export function createSteps({ store, run, signal, failPoint }: StepsParts): Steps {
  const interruptions = new WeakSet<Error>();
  const interrupted = (name: string) => {
    const error = jobFailure("conflict", "interrupted", { name });
    interruptions.add(error);
    return error;
  };
  return {
    async once<Result>(name: string, step: () => Promise<Result>) {
      if (typeof name !== "string" || name === "" || name.length > MAX_NAME) {
        throw new AppError("bad_request", `the name of a step has 1 to ${MAX_NAME} characters`);
      }
      const earlier = await store.step(run.id, name);
      if (earlier?.state === "done") return JSON.parse(earlier.result ?? "null") as Result;
      if (earlier) throw interrupted(name);
      signal.throwIfAborted();
      await store.startStep(run, name);
      failPoint("job-step-started");
      const result = await step().catch(async (error: unknown) => {
        // What was aborted may have happened all the same.
        if (!signal.aborted) await store.dropStep(run, name);
        throw error;
      });
      failPoint("job-step-happened");
      const text = JSON.stringify(result ?? null);
      // It happened; what it gave cannot be given again.
      if (text.length > MAX_RESULT) throw interrupted(name);
      await store.endStep(run, name, text);
      failPoint("job-step-done");
      return result;
    },
    isInterruption: (error): error is AppError => error instanceof Error && interruptions.has(error),
  };
}
