import type { Effect, JobOutcome, Logger } from "@parley/core";
import type { JobState, JobTable } from "../store/tables.ts";
import type { JobKindRegistry } from "./job-kinds.ts";

/** An ending job, as stored. */
export type EndingJob = Pick<JobTable, "id" | "kind" | "payload">;

/** Effects that job kinds add at the end of a job. */
export interface JobEndEffects {
  /** Returns the kinds of jobs for which a plugin has effects. */
  kinds(): readonly string[];
  /** Returns the effects written with the end. */
  getEffects(job: EndingJob, status: JobOutcome["status"], error?: JobOutcome["error"]): readonly Effect[];
}

export function isFinished(state: JobState): state is JobOutcome["status"] {
  return state === "done" || state === "dead" || state === "canceled";
}

export function createJobEndEffects(kinds: Pick<JobKindRegistry, "all" | "find">, logger: Logger): JobEndEffects {
  return {
    kinds: () =>
      kinds
        .all()
        .filter(({ ended }) => ended)
        .map(({ kind }) => kind),
    getEffects({ id, kind, payload }, status, error = null) {
      const { ended } = kinds.find(kind) ?? {};
      if (!ended) return [];
      try {
        return ended(JSON.parse(payload), { jobId: id, status, error }).map(withoutExpectations);
      } catch (failure) {
        // The job ends nevertheless.
        logger.error("a kind of jobs failed at the end of one", { jobId: id, kind, error: failure });
        return [];
      }
    },
  };
}

/** Removes the expectations of an effect, so that one without a change does not undo the end of the job. */
function withoutExpectations(effect: Effect): Effect {
  return { ...effect, writes: effect.writes.map(({ expect: _expect, ...write }) => write) };
}
