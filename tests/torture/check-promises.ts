import type { FaultKind, Platform } from "@parley/simulators";
import type { MessageOutcome } from "./outcomes.ts";
import type { TorturedPlatform } from "./platforms.ts";
import { needsTool, readSubject } from "./tortured-model.ts";

/** One death of the service. */
export interface Kill {
  readonly point: string;
  /** Topic of the messages in this round. */
  readonly round: string;
  /** Number of the model's requests at that time. */
  readonly asked: number;
}

/** Observations of one life of the service besides its own files. */
export interface Evidence {
  readonly kills: readonly Kill[];
  /** Inputs of the tool, one per run. */
  readonly noted: readonly string[];
  /** Inputs of the model, one per request. */
  readonly asked: readonly string[];
}

export interface JudgedPlatform extends TorturedPlatform {
  readonly platform: Platform<unknown>;
}

const TOOL_RESULT = "it is noted";
export const UNKNOWN_OUTCOME = "outcome of this call is unknown";
/** At this fail point an expensive answer is stored before its turn ends, so the repeated turn continues without the model. */
const DRAFT_STORED = "draft-stored";

/** Maximum attempts of a delivery, by the platform's kind of error. */
const MAX_TRIES: Readonly<Record<string, number>> = { unavailable: 3, ambiguous: 3, throttled: 30 };

/** Returns the broken promises to the people of one platform; `outcomes` are those of its messages, in order. */
export function findProblems(
  suspect: JudgedPlatform,
  outcomes: readonly MessageOutcome[],
  evidence: Evidence,
): readonly string[] {
  const conversations = Map.groupBy(outcomes, ({ conversation }) => conversation);
  return [
    ...outcomes.flatMap((outcome) => [
      ...checkAnswer(outcome, suspect, outcomes).map((what) => formatProblem(suspect, outcome, what)),
      ...checkTurn(outcome, evidence).map((what) => formatProblem(suspect, outcome, what)),
    ]),
    ...[...conversations].flatMap(([conversation, own]) => [
      ...checkFaults(conversation, own, suspect, evidence),
      ...checkOrder(conversation, own, suspect),
    ]),
  ];
}

function formatProblem({ type, platform }: JudgedPlatform, outcome: MessageOutcome, what: string): string {
  return `${type} ${what}: ${JSON.stringify({ ...outcome, shown: countShown(outcome, platform) })}`;
}

function countShown({ conversation, text }: MessageOutcome, platform: Platform<unknown>): number {
  const about = `(${readSubject(text)})`;
  return platform.shown(conversation).filter((one) => one.includes(about)).length;
}

/**
 * Checks that each message has one answer, seen at most once; an answer that may have arrived is left to a person when the platform
 * cannot be asked.
 */
function checkAnswer(
  outcome: MessageOutcome,
  { platform, mode }: JudgedPlatform,
  all: readonly MessageOutcome[],
): readonly string[] {
  const { text, state, answers } = outcome;
  const shown = countShown(outcome, platform);
  const [answer] = answers;
  if (all.filter((one) => one.text === text).length > 1) return ["was taken twice"];
  if (state !== "done") return ["was not worked on"];
  if (!answer || answers.length > 1) return ["has not one answer"];
  if (shown > 1) return ["is answered twice"];
  if (answer.state === "delivered") return [];
  if (answer.state !== "dead") return ["is not answered"];
  // A platform that deduplicates is sent the message again until it confirms or rejects it.
  const mayBeUnknown = mode === "none" || mode === "reconcile";
  return answer.cause === "outcome_unknown" && !mayBeUnknown ? ["is left in doubt without need"] : [];
}

/** Checks that tools with effects ran once, and the model was asked at most once per started turn. */
function checkTurn(
  { text, runs, repeats, answers }: MessageOutcome,
  { noted, asked, kills }: Evidence,
): readonly string[] {
  const about = readSubject(text);
  const count = (all: readonly string[]) => all.filter((one) => one === about).length;
  const calls = needsTool(text) ? 2 : 1;
  // The claim of a fresh message is not awaited, so a kill may lose it and its turn is then counted once too few.
  const isCut = kills.some(
    ({ asked: before }) => asked.slice(0, before).includes(about) && asked.includes(about, before),
  );
  const begun = runs === 1 && isCut ? 2 : runs;
  const problems = count(asked) > calls * begun + repeats ? [`the model was asked ${count(asked)} times`] : [];
  const answerText = answers[0]?.text ?? "";
  if (!needsTool(text)) return problems;
  if (count(noted) > 1) return [...problems, "its tool was run twice"];
  if (answerText.includes(TOOL_RESULT)) return count(noted) === 1 ? problems : [...problems, "its tool was not run"];
  // The tool of an interrupted run may have done its work; the answer says so and the tool is not run again.
  const isUnknown = answerText.includes(UNKNOWN_OUTCOME) && begun > 1;
  return isUnknown ? problems : [...problems, "says nothing of its tool"];
}

/** Checks that each missing delivery has a cause: a kill or a fault of the platform, each used once. */
function checkFaults(
  conversation: string,
  outcomes: readonly MessageOutcome[],
  { type, platform }: JudgedPlatform,
  { kills }: Evidence,
): readonly string[] {
  const faults = (...kinds: readonly FaultKind[]) =>
    platform.injected.filter(
      ({ about, call, kind }) => about === conversation && call !== "event" && kinds.includes(kind),
    ).length;
  const answers = outcomes.flatMap((outcome) =>
    outcome.answers.map((answer) => ({ ...answer, shown: countShown(outcome, platform) })),
  );
  const dead = answers.filter(({ state }) => state === "dead");
  const unknownCount = dead.filter(({ cause }) => cause === "outcome_unknown").length;
  const rejected = dead.filter(({ cause }) => cause !== "outcome_unknown");
  const tries = rejected.reduce((sum, { cause }) => sum + (MAX_TRIES[cause ?? ""] ?? 1), 0);
  const unseen = answers.filter(({ state, shown }) => state === "delivered" && shown === 0).length;
  const findExcess = (what: string, count: number, most: number) =>
    count > most ? [`${type} ${conversation}: ${count} ${what}, and reason for ${most}`] : [];
  return [
    ...findExcess("answers are in doubt", unknownCount, kills.length + faults("serverError", "halfOpen")),
    ...findExcess("tries are said to have failed", tries, faults("serverError", "halfOpen", "tooMany")),
    ...findExcess("answers are said to be there and are not", unseen, faults("lyingOk")),
  ];
}

/** Checks that answers come in the order in which the service accepted the messages. */
function checkOrder(
  conversation: string,
  outcomes: readonly MessageOutcome[],
  { type, platform }: JudgedPlatform,
): readonly string[] {
  const abouts = outcomes.map(({ text }) => readSubject(text));
  const at = platform.shown(conversation).map((answer) => abouts.indexOf(readSubject(answer)));
  const isOrdered = at.every((place, index) => index === 0 || place >= (at[index - 1] ?? 0));
  return isOrdered ? [] : [`${type} ${conversation}: answers out of order: ${at.join(" ")}`];
}

/** Checks the trace of the kill: at least one message shows that the service died at this point. */
export function checkKillPoint(
  { point, round, asked: before }: Kill,
  outcomes: readonly MessageOutcome[],
  { asked }: Evidence,
): readonly string[] {
  const own = outcomes.filter(({ text }) => readSubject(text).startsWith(round));
  const again = own.filter(({ runs }) => runs > 1);
  const hasAnswer = (what: string) =>
    again.some(({ text, answers }) => needsTool(text) && answers[0]?.text.includes(what));
  if (point === "tool-started" && !hasAnswer(UNKNOWN_OUTCOME)) return [`${round}: a tool that had begun was run again`];
  if (point === "tool-done" && !hasAnswer(TOOL_RESULT)) return [`${round}: the result of a tool was not kept`];
  if (point !== DRAFT_STORED) return [];
  const isAsked = ({ text }: MessageOutcome, questions: readonly string[]) => questions.includes(readSubject(text));
  const isSpared = again.some(
    (outcome) => isAsked(outcome, asked.slice(0, before)) && !isAsked(outcome, asked.slice(before)),
  );
  return isSpared ? [] : [`${round}: what was answered was asked again`];
}
