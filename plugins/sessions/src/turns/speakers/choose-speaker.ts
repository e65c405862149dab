import { listPresent, type Message, type Session } from "@parley/core";
import { findAddressed, type NamedSpeaker } from "./named-speakers.ts";

/** A message to be answered by one of several characters. */
export interface SpeakerQuestion {
  readonly session: Session;
  readonly text: string;
  /** Messages before it, oldest first. */
  readonly before: readonly Message[];
  /** The present characters, in their order. */
  readonly present: readonly NamedSpeaker[];
  /** Id of the sender on its channel. */
  readonly senderId: string | null;
}

/**
 * Returns the characters that answer a message by the rule of the conversation, one after the other; a model's choice
 * is not part of it. Several only where the message speaks to several.
 */
export function chooseByRule(question: SpeakerQuestion): readonly string[] {
  const { session, present } = question;
  const last = findLastSpeaker(question);
  const next = findNext(session, last);
  if (session.speaker_order === "round") return next === undefined ? [] : [next];
  const addressed = listAddressed(question);
  if (addressed.length > 0) return addressed;
  const follower = present.some(({ id }) => id === last) ? last : present[0]?.id;
  const chosen = session.speaker_order === "judge" ? next : follower;
  return chosen === undefined ? [] : [chosen];
}

/** Returns the characters that the message speaks to, else those of the sender's unanswered messages before it. */
function listAddressed({ text, before, present, senderId }: SpeakerQuestion): readonly string[] {
  const waiting = before.slice(before.findLastIndex(({ role }) => role === "assistant") + 1);
  const earlier = waiting.filter((message) => message.role === "user" && message.sender_id === senderId);
  const texts = [text, ...earlier.toReversed().map(({ content }) => content)];
  return texts.map((one) => findAddressed(one, present)).find(({ length }) => length > 0) ?? [];
}

/** Returns the character of the newest answer that still belongs to the conversation. */
function findLastSpeaker({ session, before }: SpeakerQuestion): string | undefined {
  const isSpeaker = (id: string | null) => id !== null && (session.character_ids ?? []).includes(id);
  return before.findLast((one) => one.role === "assistant" && isSpeaker(one.character_id))?.character_id ?? undefined;
}

/** Returns the present character whose turn it is after the last one. */
function findNext(session: Session, last: string | undefined): string | undefined {
  const ids = session.character_ids ?? [];
  const present = listPresent(session);
  const at = last === undefined ? -1 : ids.indexOf(last);
  return [...ids.slice(at + 1), ...ids.slice(0, at + 1)].find((id) => present.includes(id));
}
