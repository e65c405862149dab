import { derivedId, type Message } from "@parley/core";
import type { SessionParts } from "./parts.ts";

/** The id of what a client calls by its own `temp_id`, whichever way it comes in: it is one message. */
export function idOfTemp(sessionId: string, tempId: string): string {
  return derivedId("msg", sessionId, tempId);
}

interface Said {
  readonly sessionId: string;
  readonly traceId: string;
  readonly tempId: string | undefined;
}

interface UserMessage {
  readonly id: string;
  /** It is there: stored by this turn before, or by a client without one. */
  readonly there: Message | undefined;
}

/** The user's message of a turn, also when the turn runs again. What was said long ago under the same `temp_id` is another. */
export async function userMessageOf(
  { messages }: Pick<SessionParts, "messages">,
  { sessionId, traceId, tempId }: Said,
  mayBeThere: boolean,
): Promise<UserMessage> {
  const own = derivedId("msg", traceId, "user");
  const shared = tempId === undefined ? undefined : idOfTemp(sessionId, tempId);
  const [there] = shared !== undefined || mayBeThere ? await messages.byIds([shared ?? own]) : [];
  if (shared === undefined || !there) return { id: shared ?? own, there };
  const isThis = there.role === "user" && (there.trace_id ?? traceId) === traceId;
  if (isThis) return { id: shared, there };
  const [again] = mayBeThere ? await messages.byIds([own]) : [];
  return { id: own, there: again };
}
