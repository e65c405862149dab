import { AppError, toLocalized, type Upkeep } from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";
import type { SessionService } from "./session-service.ts";

/** Time since the last message after which an abandoned temporary conversation is deleted. */
export const TEMPORARY_TTL_MS = 3_600_000;
const SWEEP_INTERVAL_MS = 600_000;
const BATCH_SIZE = 100;
/** Number of failed removals after which the sweep ends, because the cause is not the single conversation. */
const MAX_FAILED_REMOVALS = 100;

/** Creates the upkeep that deletes abandoned temporary conversations with all their data. */
export function createTemporarySweep(
  { sessions, clock }: Pick<SessionDeps, "sessions" | "clock">,
  service: Pick<SessionService, "remove">,
): Upkeep {
  return {
    name: "sessions.temporary",
    title: { en: "Remove temporary conversations", zh: "清除临时会话" },
    everyMs: SWEEP_INTERVAL_MS,
    async run({ signal, log }) {
      const before = new Date(clock.now() - TEMPORARY_TTL_MS).toISOString();
      const failedIds: string[] = [];
      for (let found = BATCH_SIZE; found === BATCH_SIZE && failedIds.length < MAX_FAILED_REMOVALS; ) {
        const old = await sessions.findExpiredTemporary(before, BATCH_SIZE, failedIds);
        found = old.length;
        for (const id of old) {
          signal.throwIfAborted();
          try {
            await service.remove(id);
          } catch (error) {
            // Another process deleted it first.
            if (AppError.is(error) && error.code === "not_found") continue;
            failedIds.push(id);
            log(
              sessionsTexts.message("stayed", {
                id,
                reason: AppError.is(error) ? toLocalized(error) : (error as Error).message,
              }),
            );
          }
        }
      }
      if (failedIds.length > 0) throw sessionsTexts.error("unavailable", "temporary_stay", { count: failedIds.length });
    },
  };
}
