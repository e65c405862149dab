import Joi from "@hapi/joi";
import { AppError, type JobKind, jobKind, saidOf, sentencesOf } from "@parley/core";
import type { SessionParts } from "./parts.ts";
import { sessionFailure } from "./said-failures.ts";
import type { SessionRows } from "./session-rows.ts";

export const SWEEP = "sessions.temporary";

/** So long after the last word a temporary conversation goes, where nobody has left it. */
export const TEMPORARY_MS = 3_600_000;
/** How often it is looked for them. */
export const SWEEP_EVERY_MS = 600_000;
const STEP = 100;
/** When so many cannot be removed, something else is wrong. */
const MOST_STAYING = 100;

const line = sentencesOf("sessions", { stayed: { en: "{id} stayed: {reason}", zh: "{id} 未能清除：{reason}" } });

/** Removes temporary conversations that somebody forgot, with all that is known of them. */
export function sweepJob(
  { sessions, clock }: Pick<SessionParts, "sessions" | "clock">,
  rows: Pick<SessionRows, "remove">,
): JobKind {
  return jobKind({
    kind: SWEEP,
    titles: { en: "Remove temporary conversations", zh: "清除临时会话" },
    schema: Joi.object({}),
    concurrency: 1,
    // It comes again by its plan.
    retry: { attempts: 1, firstDelayMs: 0, maxDelayMs: 0 },
    async run(_payload, { signal, log }) {
      const before = new Date(clock.now() - TEMPORARY_MS).toISOString();
      const stayed: string[] = [];
      for (let found = STEP; found === STEP && stayed.length < MOST_STAYING; ) {
        const old = await sessions.temporaryBefore(before, STEP, stayed);
        found = old.length;
        for (const id of old) {
          signal.throwIfAborted();
          try {
            await rows.remove(id);
          } catch (error) {
            // Somebody else was faster.
            if (AppError.is(error) && error.code === "not_found") continue;
            stayed.push(id);
            log(line("stayed", { id, reason: AppError.is(error) ? saidOf(error) : (error as Error).message }));
          }
        }
      }
      if (stayed.length > 0) throw sessionFailure("unavailable", "temporary_stay", { count: stayed.length });
    },
  });
}
