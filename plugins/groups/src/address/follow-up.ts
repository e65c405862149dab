import type { SpokenLine } from "../spoken-line.ts";
import type { Clue } from "./clue.ts";
import { ACKNOWLEDGEMENT, QUESTION, REQUEST, SECOND_PERSON, SECOND_PERSON_PLURAL } from "./vocabulary.ts";

/** Time after an answer in which the same person goes on with it. */
const FOLLOW_UP_MS = 60_000;
/** The same in a conversation that has gone to and fro. */
const DEEP_FOLLOW_UP_MS = 180_000;
/** Lines that are searched for the bot's last answer. */
const NEAR_LINES = 6;

/** Lists what the bot's last answer says about the next message. */
export function scoreFollowUp(line: SpokenLine, text: string, before: readonly SpokenLine[]): readonly Clue[] {
  const near = before.slice(-NEAR_LINES);
  const at = near.findLastIndex(({ isOwn }) => isOwn);
  const answer = near[at];
  if (!answer) return [];
  const since = near.slice(at + 1);
  const depth = countExchanges(line, before);
  const ageMs = line.atMs - answer.atMs;
  if (ageMs < 0 || ageMs > (depth > 1 ? DEEP_FOLLOW_UP_MS : FOLLOW_UP_MS)) return [];
  const isSame = answer.answersId === line.senderId;
  const isDirect = since.every(({ senderId }) => senderId === line.senderId);
  const clues = isSame ? scoreSamePerson(text, isDirect) : scoreOtherPerson(text);
  if (isSame && since.length === 0 && /[?？]\s*$/u.test(answer.text))
    clues.push({ name: "answers_question", weight: 1 });
  if (!isSame && since.length === 0 && depth > 0 && QUESTION.test(text))
    clues.push({ name: "takes_part", weight: 0.5 });
  const interruption = sumInterruptions(line, since);
  if (interruption < 0) clues.push({ name: "interrupted", weight: interruption });
  if (isSame && depth > 1) clues.push({ name: "depth", weight: Math.min(0.5, 0.25 * (depth - 1)) });
  return clues;
}

/** Returns the weight of what others said since the answer: a remark weighs less than words to somebody. */
function sumInterruptions({ senderId }: SpokenLine, since: readonly SpokenLine[]): number {
  const others = since.filter((one) => one.senderId !== senderId);
  const weights = others.map(({ text }) => (QUESTION.test(text) || SECOND_PERSON.test(text) ? -1 : -0.5));
  return Math.max(
    -2,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
}

/** `isDirect`: nobody else spoke since the answer, so that "you" is the bot. */
function scoreSamePerson(text: string, isDirect: boolean): Clue[] {
  if (ACKNOWLEDGEMENT.test(text)) return [{ name: "acknowledged", weight: -1 }];
  if (SECOND_PERSON_PLURAL.test(text)) return [{ name: "follow_up", weight: -0.5 }];
  const isRequest = REQUEST.test(text) || QUESTION.test(text) || /\bplease\b/iu.test(text);
  const clues: Clue[] = [{ name: "follow_up", weight: isRequest ? 1 : 0.25 }];
  if (isDirect && SECOND_PERSON.test(text)) clues.push({ name: "second_person", weight: 0.75 });
  return clues;
}

/** Scores a message by somebody who was not answered: only one that turns to the bot continues its answer. */
function scoreOtherPerson(text: string): Clue[] {
  if (ACKNOWLEDGEMENT.test(text)) return [{ name: "acknowledged", weight: -1 }];
  if (SECOND_PERSON_PLURAL.test(text) || !SECOND_PERSON.test(text)) return [];
  return [{ name: "second_person", weight: REQUEST.test(text) || QUESTION.test(text) ? 0.75 : 0.25 }];
}

/** Counts the answers that the person got from the bot within the follow-up time before each other. */
function countExchanges({ senderId, atMs }: SpokenLine, before: readonly SpokenLine[]): number {
  let count = 0;
  let laterMs = atMs;
  for (const one of before.toReversed()) {
    if (laterMs - one.atMs > DEEP_FOLLOW_UP_MS) break;
    if (one.isOwn && one.answersId === senderId) count += 1;
    laterMs = one.atMs;
  }
  return count;
}
