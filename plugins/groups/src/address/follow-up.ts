import type { SpokenLine } from "../spoken-line.ts";
import { listNameParts } from "./name-signals.ts";
import type { ReceivedMessage } from "./received-message.ts";
import { listFound, type Signal, type SignalName } from "./signals.ts";
import {
  CONTINUATION,
  DISMISSAL,
  EMPHASIS,
  OPEN_QUESTION,
  QUESTION,
  REACTION,
  REQUEST,
  SECOND_PERSON,
} from "./vocabulary.ts";
import { findNameUse } from "./vocative.ts";

/** Time after an answer in which people go on with it. */
const FOLLOW_UP_MS = 180_000;
/** Lines that are searched for the bot's last answer. */
const NEAR_LINES = 8;
/** Lines after an answer in which others than the one who was answered go on with it. */
const FEW_LINES = 2;

/** A message after an answer of the bot. */
interface FollowUp {
  readonly line: SpokenLine;
  readonly text: string;
  readonly answer: SpokenLine;
  /** Lines between the answer and the message. */
  readonly since: readonly SpokenLine[];
  /** Answers that the person got from the bot lately. */
  readonly exchanges: number;
}

/** Lists what the bot's last answer says about the next message. */
export function listFollowUpSignals({ line, before }: ReceivedMessage, text: string): readonly SignalName[] {
  const near = before.slice(-NEAR_LINES);
  const at = near.findLastIndex(({ isOwn }) => isOwn);
  const answer = near[at];
  if (!answer || Math.abs(line.atMs - answer.atMs) > FOLLOW_UP_MS) return [];
  const since = near.slice(at + 1);
  if (since.some((one) => DISMISSAL.test(one.text))) return [];
  const followUp = { line, text, answer, since, exchanges: countExchanges(line, before) };
  return listFound([
    ["continued", CONTINUATION.test(text)],
    ...(isAnswerTo(answer, line) ? listOwn(followUp) : listOverheard(followUp)),
  ]);
}

/** Lists the signals for the person whom the bot answered. */
function listOwn({ line, text, answer, since, exchanges }: FollowUp): readonly Signal[] {
  const isResumed = since.some(({ senderId }) => senderId !== line.senderId);
  return [
    ["answered", !isResumed],
    ["asked", !isResumed && endsInQuestion(answer)],
    ["resumed", isResumed],
    ["resumed_asks", isResumed && isAsking(text)],
    ["resumed_afresh", isResumed && since.at(-1)?.senderId === line.senderId],
    ["was_asked", isResumed && isTurnedTo(since.at(-1), line)],
    ["exchange", exchanges > 1],
  ];
}

/** Lists the signals for everybody else. */
function listOverheard({ text, answer, since, exchanges }: FollowUp): readonly Signal[] {
  const isDirect = since.length === 0;
  const isContinued = CONTINUATION.test(text) || REQUEST.test(text);
  const isOpen = isContinued || OPEN_QUESTION.test(text) || isBriefQuestion(text, answer.text);
  const isLater = !isDirect && since.length <= FEW_LINES;
  return [
    ["overheard", isDirect],
    ["asked", isDirect && endsInQuestion(answer)],
    ["overheard_asks", isDirect && isAsking(text) && isOpen && !EMPHASIS.test(text)],
    ["overheard_later", isLater && (isContinued || (exchanges > 0 && QUESTION.test(text)))],
  ];
}

function isAsking(text: string): boolean {
  return !REACTION.test(text) && (QUESTION.test(text) || REQUEST.test(text));
}

function endsInQuestion({ text }: SpokenLine): boolean {
  return /[?？]\s*$/u.test(text);
}

/** Returns true when the bot answered the person, or called them by name in its answer. */
function isAnswerTo(answer: SpokenLine, { senderId, sender }: SpokenLine): boolean {
  return answer.answersId === senderId || findNameUse(listNameParts(sender), answer.text) === "called";
}

/** Returns true for a line by somebody else that asks, or says "you" or the name of the next speaker. */
function isTurnedTo(last: SpokenLine | undefined, { senderId, sender }: SpokenLine): boolean {
  if (!last || last.senderId === senderId) return false;
  return QUESTION.test(last.text) || SECOND_PERSON.test(last.text) || last.text.includes(sender);
}

/** Counts the answers that the person got from the bot within the follow-up time before each other. */
function countExchanges({ senderId, atMs }: SpokenLine, before: readonly SpokenLine[]): number {
  let count = 0;
  let laterMs = atMs;
  for (const one of before.toReversed()) {
    if (laterMs - one.atMs > FOLLOW_UP_MS) break;
    if (one.isOwn && one.answersId === senderId) count += 1;
    laterMs = one.atMs;
  }
  return count;
}

/** Returns true for a question of a word or two that does not repeat the answer in surprise. */
function isBriefQuestion(text: string, answer: string): boolean {
  const [, words = ""] = /^(\p{Script=Han}{1,3}|\S+(?:\s\S+)?)[?？]$/u.exec(text) ?? [];
  return words !== "" && !words.split(/[\s,]+/u).some((word) => answer.toLowerCase().includes(word.toLowerCase()));
}
