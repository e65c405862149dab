import { isKnownTo, isShared, type Message, newId, type Session } from "@parley/core";
import { toJsonObject } from "@parley/core/json";
import { isForParticipants } from "../messages/operator-only.ts";
import { now, publishMessage, publishMessagesRemoved, type SessionDeps } from "../session-deps.ts";
import { newMessage } from "../store/rows.ts";

/** The live messages of a session, divided into those that a summary replaces and the others. */
export interface Fold {
  readonly toArchive: readonly Message[];
  /** The earlier summary, which the new one continues. */
  readonly old: Message | undefined;
  /** Ids of the earlier summary and of dividers, which the new summary replaces. */
  readonly replacedIds: readonly string[];
}

/** Divides the live messages: all but the last `keepCount` of the conversation are to be archived. */
export function planFold(all: readonly Message[], toKeepCount: (conversation: readonly Message[]) => number): Fold {
  const isMark = ({ kind }: Message) => kind === "summary" || kind === "archive_divider";
  const conversation = all.filter((message) => !isMark(message));
  return {
    toArchive: conversation.slice(0, Math.max(0, conversation.length - toKeepCount(conversation))),
    old: all.find(({ kind }) => kind === "summary"),
    replacedIds: all.filter(isMark).map(({ id }) => id),
  };
}

/** Summarizes the messages to archive; private messages of operators are left out, because the summary is in every prompt. */
export function summarizeFold(
  { summaries }: SessionDeps,
  session: Session,
  { toArchive, old }: Fold,
  { maxChars, signal }: { readonly maxChars: number; readonly signal: AbortSignal },
): Promise<string> {
  const messages = session.channel_id === "web" ? toArchive : toArchive.filter(isForParticipants);
  return summaries().summarize({ session, messages, maxChars, ...(old && { previous: old.content }) }, signal);
}

/** Archives the messages and puts the summary in their place, all or nothing; rejects when one of them is no longer live. */
export async function writeFold(deps: SessionDeps, session: Session, fold: Fold, text: string): Promise<Message> {
  const { sessions, messages } = deps;
  const ids = fold.toArchive.map(({ id }) => id);
  const last = fold.toArchive.at(-1)?.seq ?? 0;
  const summary = newMessage({
    id: newId("msg", deps.clock.now()),
    session_id: session.id,
    seq: last + 1,
    role: "system",
    kind: "summary",
    content: text,
    timestamp: now(deps),
    metadata: {
      replaces: toReplaces(fold),
      ...(isShared(session) && { known_to: listHearers(session, toFolded(fold)) }),
    },
  });
  await sessions.change(session.id, () => ({ summary: text }), {
    others: [
      ...messages.moveWrites(ids, "archive", "live"),
      ...messages.deleteWrites(fold.replacedIds),
      ...(await messages.makeRoomWrites(session.id, last, 1)),
      ...messages.insertWrites([summary], "live"),
      ...messages.recountWrites(session.id),
    ],
  });
  publishMessagesRemoved(deps, session.id, [...ids, ...fold.replacedIds], "compressed");
  publishMessage(deps, "new_message", summary);
  return summary;
}

function toFolded({ toArchive, old }: Fold): readonly Message[] {
  return old ? [old, ...toArchive] : toArchive;
}

/** Returns the ids of the characters that have heard all of the messages; only they are given a summary of them. */
export function listHearers(session: Session, messages: readonly Message[]): readonly string[] {
  return (session.character_ids ?? []).filter((id) => messages.every((message) => isKnownTo(session, id, message)));
}

/** Range of the archived messages that a summary replaces. */
export interface Replaces {
  readonly from_seq: number;
  readonly to_seq: number;
  readonly count: number;
}

function toReplaces({ toArchive, old }: Fold): Replaces {
  const earlier = readReplaces(old);
  return {
    from_seq: earlier?.from_seq ?? toArchive[0]?.seq ?? 0,
    to_seq: toArchive.at(-1)?.seq ?? 0,
    count: toArchive.length + (earlier?.count ?? 0),
  };
}

function readReplaces(summary: Message | undefined): Replaces | undefined {
  const { from_seq, to_seq, count } = toJsonObject(summary?.metadata.replaces);
  const isKnown = typeof from_seq === "number" && typeof to_seq === "number" && typeof count === "number";
  return isKnown ? { from_seq, to_seq, count } : undefined;
}

/** Returns the summary with the range that remains archived after the newest messages, from `seq` on, came back. */
export function withRestored(summary: Message, restoredCount: number, seq: number): Message {
  const replaces = readReplaces(summary);
  if (!replaces) return summary;
  const remaining = {
    ...replaces,
    to_seq: Math.min(replaces.to_seq, seq - 1),
    count: Math.max(0, replaces.count - restoredCount),
  };
  return { ...summary, metadata: { ...summary.metadata, replaces: remaining } };
}
