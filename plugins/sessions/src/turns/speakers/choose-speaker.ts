import { listPresent, type Message, type Session } from "@parley/core";
import { findNamed, type NamedSpeaker } from "./named-speakers.ts";

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

/** Returns the character that a message is for by the rule of the conversation; a model's choice is not part of it. */
export function chooseByRule(question: SpeakerQuestion): string | undefined {
  const { session, present } = question;
  const last = findLastSpeaker(question);
  const named = findNamedSpeaker(question);
  if (session.speaker_order === "round") return findNext(session, last);
  if (session.speaker_order === "judge") return named ?? findNext(session, last);
  return named ?? (present.some(({ id }) => id === last) ? last : present[0]?.id);
}

/** Returns the first character that the message names, else one that the sender's unanswered messages before it name. */
function findNamedSpeaker({ text, before, present, senderId }: SpeakerQuestion): string | undefined {
  const waiting = before.slice(before.findLastIndex(({ role }) => role === "assistant") + 1);
  const earlier = waiting.filter((message) => message.role === "user" && message.sender_id === senderId);
  const texts = [text, ...earlier.toReversed().map(({ content }) => content)];
  return texts.map((one) => findNamed(one, present)[0]).find((id) => id !== undefined);
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
