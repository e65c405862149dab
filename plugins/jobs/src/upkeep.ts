import Joi from "@hapi/joi";
import { type JobKind, jobKind, type Schedules, type Upkeep } from "@parley/core";

const CATCH_UP_WITHIN_MS = 86_400_000;

/** Creates the job kind of an upkeep. */
export function toJobKind(upkeep: Upkeep): JobKind {
  const { name, title } = upkeep;
  return jobKind({
    kind: name,
    titles: title,
    schema: Joi.object({}),
    concurrency: 1,
    run: (_payload, context) => upkeep.run(context),
  });
}

/** Schedules each upkeep. */
export async function scheduleUpkeeps(upkeeps: readonly Upkeep[], schedules: Schedules): Promise<void> {
  for (const { name, everyMs } of upkeeps) {
    await schedules.put({ id: name, kind: name, payload: {}, everyMs, madeUpWithinMs: CATCH_UP_WITHIN_MS });
  }
}
