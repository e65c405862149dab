import Joi from "@hapi/joi";
import { type JobKind, jobKind } from "@parley/core";
import type { SessionParts } from "./parts.ts";
import type { SessionRows } from "./session-rows.ts";

export const SWEEP = "sessions.temporary";

/** So long after the last word a temporary conversation goes, where nobody has left it. */
export const TEMPORARY_MS = 3_600_000;
/** How often it is looked for them. */
export const SWEEP_EVERY_MS = 600_000;
const STEP = 100;

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
    async run(_payload, { signal }) {
      for (;;) {
        const gone = await sessions.temporaryBefore(new Date(clock.now() - TEMPORARY_MS).toISOString(), STEP);
        for (const id of gone) {
          signal.throwIfAborted();
          await rows.remove(id);
        }
        if (gone.length < STEP) return;
      }
    },
  });
}
