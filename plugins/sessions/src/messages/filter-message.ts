import { type FilterResult, type Message, messageFiltered, type Session } from "@parley/core";
import { applyFilter, type SessionDeps } from "../session-deps.ts";

/** Applies the filter to a message stored without a turn. Notes of the service itself are not filtered. */
export async function filterMessage(
  deps: SessionDeps,
  session: Session,
  role: Message["role"],
  text: string,
  hasAttachments: boolean,
): Promise<Pick<FilterResult, "text" | "filtered" | "blocked" | "rules">> {
  if (role === "system") return { text, filtered: false, blocked: false, rules: [] };
  return applyFilter(deps, session, toFilterTarget(role), text, hasAttachments);
}

/** Notifies the clients of a console conversation that a message was blocked. */
export function publishBlocked(
  { events }: Pick<SessionDeps, "events">,
  { id: sessionId, channel_id: channelId }: Session,
  role: Message["role"],
  rules: readonly string[],
  tempId: string | null,
): void {
  if (channelId !== "web") return;
  events.publish(
    messageFiltered({ sessionId, channelId, direction: toFilterTarget(role), rules, tempId, traceId: null }),
  );
}

function toFilterTarget(role: Message["role"]): "user" | "ai" {
  return role === "assistant" ? "ai" : "user";
}
