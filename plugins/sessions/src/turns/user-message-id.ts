import { derivedId, type Message } from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";

/** Derives the message id from a client's `temp_id`, so that duplicates are one message on every endpoint. */
export function toMessageIdOfTempId(sessionId: string, tempId: string): string {
  return derivedId("msg", sessionId, tempId);
}

interface TurnMessageRef {
  readonly sessionId: string;
  readonly traceId: string;
  readonly tempId: string | undefined;
}

interface UserMessageLookup {
  readonly id: string;
  /** The message if it was stored before, by an earlier run of this turn or by a client. */
  readonly existing: Message | undefined;
}

/** Finds the user message of a turn, also in a repeated run. An old message with the same `temp_id` is a different one. */
export async function findUserMessage(
  { messages }: Pick<SessionDeps, "messages">,
  { sessionId, traceId, tempId }: TurnMessageRef,
  mayExist: boolean,
): Promise<UserMessageLookup> {
  const turnMessageId = derivedId("msg", traceId, "user");
  const clientMessageId = tempId === undefined ? undefined : toMessageIdOfTempId(sessionId, tempId);
  const [existing] =
    clientMessageId !== undefined || mayExist ? await messages.byIds([clientMessageId ?? turnMessageId]) : [];
  if (clientMessageId === undefined || !existing) return { id: clientMessageId ?? turnMessageId, existing };
  const isSameTurn = existing.role === "user" && (existing.trace_id ?? traceId) === traceId;
  if (isSameTurn) return { id: clientMessageId, existing };
  const [stored] = mayExist ? await messages.byIds([turnMessageId]) : [];
  return { id: turnMessageId, existing: stored };
}
