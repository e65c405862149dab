import type { Message, TurnOutcome } from "@parley/core";
import type { InboxTable } from "./tables.ts";

/** The outcome that is stored with a message. Its messages are stored in the conversation. */
export interface StoredOutcome extends Omit<TurnOutcome, "userMessage" | "replies"> {
  readonly userMessage: string | null;
  readonly replies: readonly string[];
}

export function toStoredOutcome({ userMessage, replies, ...outcome }: TurnOutcome): StoredOutcome {
  return { ...outcome, userMessage: userMessage?.id ?? null, replies: replies.map(({ id }) => id) };
}

/** Returns the stored outcome of a message; undefined until its turn has ended. */
export function parseOutcome({ outcome }: Pick<InboxTable, "outcome">): StoredOutcome | undefined {
  return outcome === null ? undefined : JSON.parse(outcome);
}

/** Loads the outcome with its messages; messages that were deleted since are left out. */
export async function loadOutcome(
  { userMessage, replies, ...outcome }: StoredOutcome,
  messagesById: (ids: readonly string[]) => Promise<readonly Message[]>,
): Promise<TurnOutcome> {
  const ids = userMessage === null ? replies : [userMessage, ...replies];
  const found = ids.length === 0 ? [] : await messagesById(ids);
  return {
    ...outcome,
    userMessage: found.find(({ id }) => id === userMessage) ?? null,
    replies: found.filter(({ id }) => id !== userMessage),
  };
}
