import { type FilterResult, type Message, messageFiltered, type Session } from "@parley/core";
import { applyFilter, type SessionDeps } from "../session-deps.ts";

/** What may be kept of a message that is stored as it is given; what the service itself notes down is not filtered. */
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

/** Tells those who look at a conversation of the console that nothing was stored. */
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
