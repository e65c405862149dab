import type { MessageOutcome } from "./outcomes.ts";

/**
 * Returns the broken promises about bursts: each message was taken once and ended, and it has either one answer of its
 * own or shares that of one later message of its conversation.
 */
export function findBurstProblems(outcomes: readonly MessageOutcome[]): readonly string[] {
  const byTrace = new Map(outcomes.map((outcome) => [outcome.traceId, outcome]));
  const texts = Map.groupBy(outcomes, ({ channel, text }) => `${channel} ${text}`);
  const isTakenTwice = ({ channel, text }: MessageOutcome) => (texts.get(`${channel} ${text}`)?.length ?? 0) > 1;
  return outcomes.flatMap((outcome) => {
    const what = isTakenTwice(outcome) ? "was taken twice" : findProblem(outcome, byTrace);
    return what === undefined ? [] : [`${outcome.channel} ${what}: ${JSON.stringify(outcome)}`];
  });
}

function findProblem(
  { state, answers, answeredWith, conversation, channel }: MessageOutcome,
  byTrace: ReadonlyMap<string, MessageOutcome>,
): string | undefined {
  if (state !== "done") return "was not worked on";
  if (answeredWith === undefined) return answers.length === 1 ? undefined : `has ${answers.length} answers`;
  if (answers.length > 0) return "has an answer of its own and shares another";
  const later = byTrace.get(answeredWith);
  if (!later || later.conversation !== conversation || later.channel !== channel) return "shares the answer of nobody";
  return later.answeredWith === undefined && later.answers.length === 1 ? undefined : "shares an answer that is none";
}
