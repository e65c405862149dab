import { listFollowUpSignals } from "./follow-up.ts";
import { listNameSignals } from "./name-signals.ts";
import type { ReceivedMessage } from "./received-message.ts";
import { listFound, type SignalName } from "./signals.ts";
import { ACKNOWLEDGEMENT, DISMISSAL, PLAN, QUESTION, REACTION, REQUEST, SECOND_PERSON_PLURAL } from "./vocabulary.ts";
import { WEIGHTS } from "./weights.ts";

/** Score from which a message counts as meant for the bot. */
export const MEANT_FROM = 0;

/** Lists what speaks for and against the bot being meant. */
export function listSignals(received: ReceivedMessage): readonly SignalName[] {
  const text = withoutQuotes(received.line.text);
  if (DISMISSAL.test(text)) return ["dismissed"];
  const ofText = listFound([
    ["plural", SECOND_PERSON_PLURAL.test(text)],
    ["acknowledged", ACKNOWLEDGEMENT.test(text)],
    ["reaction", REACTION.test(text)],
    ["plan", PLAN.test(text) && !QUESTION.test(text)],
    ["question", QUESTION.test(text)],
    ["request", REQUEST.test(text)],
  ]);
  return [...listNameSignals(received, text), ...ofText, ...listFollowUpSignals(received, text)];
}

/** Returns the log odds that the bot is meant. */
export function scoreAddress(received: ReceivedMessage): number {
  return listSignals(received).reduce((sum, name) => sum + WEIGHTS[name], WEIGHTS.none);
}

/** Removes quoted lines and passages between quotation marks, in which others are quoted. */
function withoutQuotes(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*>/u.test(line))
    .join("\n")
    .replace(/"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|«[^»\n]*»|`[^`\n]*`/gu, " … ")
    .trim();
}
