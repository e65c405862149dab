import { derivedId, type Message } from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";

/** The id of what a client calls by its own `temp_id`, whichever way it comes in: it is one message. */
export function messageIdForTempId(sessionId: string, tempId: string): string {
  return derivedId("msg", sessionId, tempId);
}

interface TurnMessageRef {
  readonly sessionId: string;
  readonly traceId: string;
  readonly tempId: string | undefined;
}

interface UserMessageLookup {
  readonly id: string;
  /** It is there: stored by this turn before, or by a client without one. */
  readonly existing: Message | undefined;
}

/** The user's message of a turn, also when the turn runs again. What was said long ago under the same `temp_id` is another. */
export async function findUserMessage(
  { messages }: Pick<SessionDeps, "messages">,
  { sessionId, traceId, tempId }: TurnMessageRef,
  mayExist: boolean,
): Promise<UserMessageLookup> {
  const turnMessageId = derivedId("msg", traceId, "user");
  const clientMessageId = tempId === undefined ? undefined : messageIdForTempId(sessionId, tempId);
  const [existing] =
    clientMessageId !== undefined || mayExist ? await messages.byIds([clientMessageId ?? turnMessageId]) : [];
  if (clientMessageId === undefined || !existing) return { id: clientMessageId ?? turnMessageId, existing };
  const isSameTurn = existing.role === "user" && (existing.trace_id ?? traceId) === traceId;
  if (isSameTurn) return { id: clientMessageId, existing };
  const [stored] = mayExist ? await messages.byIds([turnMessageId]) : [];
  return { id: turnMessageId, existing: stored };
}
