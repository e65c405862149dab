import { dayOf, findChannelTimeZone, type Session, startOfDay, type TurnStage } from "@parley/core";
import { archiveAll } from "../conversations/archive-all.ts";
import type { SessionDeps } from "../session-deps.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Creates the stage that archives the conversation before a message that comes after its idle time or its daily end. */
export function createResetStage(deps: SessionDeps): TurnStage {
  const { channels, settings, clock } = deps;
  return {
    id: "sessions.reset",
    phase: "command",
    usesStorage: true,
    // A message that the service writes by itself goes on with what was said.
    concerns: ({ session, inbound }) =>
      inbound.kind === "message" &&
      inbound.isHidden !== true &&
      session.last_message_at !== null &&
      (Boolean(session.reset_after_idle_h) || Boolean(session.reset_daily_at)),
    async run(turn, { trace }) {
      const { session } = turn;
      const timeZone = findChannelTimeZone(channels()?.get(session.channel_id), settings);
      if (!isOver(session, clock.now(), timeZone)) return turn;
      const count = await archiveAll(deps, session);
      trace({ status: "dispatched", message: `the conversation begins anew: ${count} messages were archived` });
      return turn;
    },
  };
}

/** True when the last message is older than the idle time, or was written before the newest daily end. */
export function isOver(
  session: Pick<Session, "last_message_at" | "reset_after_idle_h" | "reset_daily_at">,
  nowMs: number,
  timeZone: string,
): boolean {
  const { last_message_at, reset_after_idle_h, reset_daily_at } = session;
  const lastMs = Date.parse(last_message_at ?? "");
  if (Number.isNaN(lastMs)) return false;
  if (reset_after_idle_h && nowMs - lastMs >= reset_after_idle_h * HOUR_MS) return true;
  return reset_daily_at ? lastMs < findNewestDailyEnd(reset_daily_at, nowMs, timeZone) : false;
}

function findNewestDailyEnd(time: string, nowMs: number, timeZone: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const onDayOf = (ms: number) => startOfDay(dayOf(ms, timeZone), timeZone) + hours * HOUR_MS + minutes * MINUTE_MS;
  const today = onDayOf(nowMs);
  return today <= nowMs ? today : onDayOf(nowMs - DAY_MS);
}
