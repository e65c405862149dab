import type { JudgedPlatform } from "./check-promises.ts";
import type { MessageOutcome } from "./outcomes.ts";

/**
 * Returns the broken promises about answers in sentences: no part is seen twice or out of order, and a part is left
 * unsaid only with all that follow it, because a later message of its conversation was accepted.
 */
export function findSentenceProblems(
  { type, platform }: JudgedPlatform,
  outcomes: readonly MessageOutcome[],
): readonly string[] {
  return [...Map.groupBy(outcomes, ({ conversation }) => conversation)].flatMap(([conversation, own]) => {
    const shown = platform.shown(conversation);
    const texts = own.flatMap(({ answers }) => answers.map(({ text }) => text));
    const places = shown.map((text) => texts.indexOf(text)).filter((place) => place >= 0);
    const isOrdered = places.every((place, at) => at === 0 || place > (places[at - 1] ?? -1));
    return [
      ...own.flatMap((outcome, at) => {
        const what = findProblem(outcome, own.slice(at + 1), shown);
        return what === undefined ? [] : [`${type} ${what}: ${JSON.stringify(outcome)}`];
      }),
      ...(isOrdered ? [] : [`${type} ${conversation}: parts twice or out of order: ${places.join(" ")}`]),
    ];
  });
}

function findProblem(
  { state, text, answers }: MessageOutcome,
  later: readonly MessageOutcome[],
  shown: readonly string[],
): string | undefined {
  if (later.some((one) => one.text === text)) return "was taken twice";
  if (state !== "done" || answers.length === 0) return "was not worked on";
  const states = answers.map((answer) => answer.state);
  if (states.some((one) => one !== "delivered" && one !== "dead" && one !== "cancelled")) return "is not answered";
  const cancelled = states.indexOf("cancelled");
  if (cancelled < 0) return undefined;
  if (cancelled === 0 || states.slice(cancelled).some((one) => one !== "cancelled")) return "has a gap in its answer";
  if (later.length === 0) return "was cut short by nobody";
  return answers.slice(cancelled).some((answer) => shown.includes(answer.text)) ? "shows a cancelled part" : undefined;
}
