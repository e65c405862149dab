import type { SpokenLine } from "../spoken-line.ts";
import type { ReceivedMessage } from "./received-message.ts";
import { listFound, type SignalName } from "./signals.ts";
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

/** Time after an answer in which people go on with it. */
const FOLLOW_UP_MS = 180_000;
/** Lines that are searched for the bot's last answer. */
const NEAR_LINES = 8;
/** Lines after an answer in which others than the one who was answered go on with it. */
const FEW_LINES = 2;

/** Lists what the bot's last answer says about the next message. */
export function listFollowUpSignals({ line, before }: ReceivedMessage, text: string): readonly SignalName[] {
  const near = before.slice(-NEAR_LINES);
  const at = near.findLastIndex(({ isOwn }) => isOwn);
  const answer = near[at];
  if (!answer || Math.abs(line.atMs - answer.atMs) > FOLLOW_UP_MS) return [];
  const since = near.slice(at + 1);
  if (since.some((one) => DISMISSAL.test(one.text))) return [];
  const isSame = answer.answersId === line.senderId;
  const isDirect = since.every(({ senderId }) => isSame && senderId === line.senderId);
  const isAsking = !REACTION.test(text) && (QUESTION.test(text) || REQUEST.test(text));
  const isOpen = isAsking && (OPEN_QUESTION.test(text) || REQUEST.test(text)) && !EMPHASIS.test(text);
  const isContinued = CONTINUATION.test(text);
  return listFound([
    ["answered", isSame && isDirect],
    ["asked", isDirect && /[?？]\s*$/u.test(answer.text)],
    ["overheard", !isSame && isDirect],
    ["overheard_asks", !isSame && isDirect && isOpen],
    ["overheard_later", !isSame && !isDirect && since.length <= FEW_LINES && isContinued && isAsking],
    ["resumed", isSame && !isDirect],
    ["resumed_asks", isSame && !isDirect && isAsking],
    ["resumed_afresh", isSame && !isDirect && since.at(-1)?.senderId === line.senderId],
    ["continued", isContinued],
    ["was_asked", !isDirect && isTurnedTo(since.at(-1), line)],
    ["exchange", isSame && countExchanges(line, before) > 1],
  ]);
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
