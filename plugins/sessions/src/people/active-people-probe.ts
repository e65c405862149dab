import { type Clock, type Database, dayOf, type Probe, type Settings, TIME_ZONE } from "@parley/core";
import type { SessionTables } from "../store/tables.ts";

const QUARTER_MS = 900_000;

export interface ActivePeopleDeps {
  readonly database: () => Database;
  readonly settings: Pick<Settings, "get">;
  readonly clock: Clock;
}

/** Counts the people who wrote today, in the configured time zone. */
export function createActivePeopleProbe({ database, settings, clock }: ActivePeopleDeps): Probe {
  const countPeopleSince = async (since: string) => {
    const rows = await database()
      .tables<SessionTables>()
      .selectFrom("messages")
      .innerJoin("sessions", "sessions.id", "messages.session_id")
      .where("sessions.last_message_at", ">=", since)
      .where("messages.timestamp", ">=", since)
      .where("messages.role", "=", "user")
      .select(["sessions.channel_id", "sessions.type", "messages.session_id", "messages.sender"])
      .distinct()
      .execute();
    // A private conversation on a channel counts as one person, even if the name has changed.
    return new Set(
      rows.map(({ channel_id, type, session_id, sender }) =>
        channel_id === "web" || type === "group" ? JSON.stringify([channel_id, sender]) : session_id,
      ),
    ).size;
  };
  return {
    id: "sessions",
    stats: async () => ({
      today_active_users: await countPeopleSince(startOfDay(clock.now(), settings.get(TIME_ZONE))),
    }),
  };
}

/** Returns the start of the current day in the time zone, exact to a quarter of an hour. */
function startOfDay(nowMs: number, timezone: string): string {
  const today = dayOf(nowMs, timezone);
  let at = nowMs - (nowMs % QUARTER_MS);
  while (dayOf(at - QUARTER_MS, timezone) === today) at -= QUARTER_MS;
  return new Date(at).toISOString();
}
