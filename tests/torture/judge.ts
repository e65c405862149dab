import type { FaultKind, Platform } from "@parley/simulators";
import type { Fate } from "./fates.ts";
import { aboutOf, isNoted } from "./model.ts";
import type { TorturedPlatform } from "./platforms.ts";

/** One death of the service. */
export interface Kill {
  readonly point: string;
  /** What is said in this round is about this and more. */
  readonly round: string;
  /** How many questions the model had been asked by then. */
  readonly asked: number;
}

/** What happened in one life of the service, as far as it is not in its own files. */
export interface Evidence {
  readonly kills: readonly Kill[];
  /** What the tool was run for, once for every run. */
  readonly noted: readonly string[];
  /** What the model was asked about, once for every question. */
  readonly asked: readonly string[];
}

export interface Suspect extends TorturedPlatform {
  readonly platform: Platform<unknown>;
}

const NOTED = "it is noted";
export const NOT_KNOWN = "outcome of this call is unknown";
/** Here an answer that was dear to make is stored and the turn is not over: it goes on without the model. */
const ANSWERED = "draft-stored";

/** Tries before an answer is given up, by what the platform says each time. */
const TRIES: Readonly<Record<string, number>> = { unavailable: 3, ambiguous: 3, throttled: 30 };

/** What was promised to the people of one platform and not kept; `fates` are those of its messages, in their order. */
export function problemsOf(suspect: Suspect, fates: readonly Fate[], evidence: Evidence): readonly string[] {
  const conversations = Map.groupBy(fates, ({ conversation }) => conversation);
  return [
    ...fates.flatMap((fate) => [
      ...ofAnswer(fate, suspect, fates).map((what) => told(suspect, fate, what)),
      ...ofTurn(fate, evidence).map((what) => told(suspect, fate, what)),
    ]),
    ...[...conversations].flatMap(([conversation, own]) => [
      ...ofFaults(conversation, own, suspect, evidence),
      ...ofOrder(conversation, own, suspect),
    ]),
  ];
}

function told({ type, platform }: Suspect, fate: Fate, what: string): string {
  return `${type} ${what}: ${JSON.stringify({ ...fate, shown: shownOf(fate, platform) })}`;
}

function shownOf({ conversation, text }: Fate, platform: Platform<unknown>): number {
  const about = `(${aboutOf(text)})`;
  return platform.shown(conversation).filter((one) => one.includes(about)).length;
}

/** One answer to each message, seen once at most; what may have arrived is left to a person, where nobody else knows. */
function ofAnswer(fate: Fate, { platform, mode }: Suspect, all: readonly Fate[]): readonly string[] {
  const { text, state, answers } = fate;
  const shown = shownOf(fate, platform);
  const [answer] = answers;
  if (all.filter((one) => one.text === text).length > 1) return ["was taken twice"];
  if (state !== "done") return ["was not worked on"];
  if (!answer || answers.length > 1) return ["has not one answer"];
  if (shown > 1) return ["is answered twice"];
  if (answer.state === "delivered") return [];
  if (answer.state !== "dead") return ["is not answered"];
  // Who merges what is sent twice is asked again until it says yes or no.
  const mayDoubt = mode === "none" || mode === "reconcile";
  return answer.cause === "outcome_unknown" && !mayDoubt ? ["is left in doubt without need"] : [];
}

/** What changed something was done once, and the model was not asked more often than turns began. */
function ofTurn({ text, runs, repeats, answers }: Fate, { noted, asked, kills }: Evidence): readonly string[] {
  const about = aboutOf(text);
  const count = (all: readonly string[]) => all.filter((one) => one === about).length;
  const calls = isNoted(text) ? 2 : 1;
  // Nobody waits for the claim of a fresh message: a kill may take it along, and its turn is counted once too few.
  const isCut = kills.some(
    ({ asked: before }) => asked.slice(0, before).includes(about) && asked.includes(about, before),
  );
  const begun = runs === 1 && isCut ? 2 : runs;
  const problems = count(asked) > calls * begun + repeats ? [`the model was asked ${count(asked)} times`] : [];
  const said = answers[0]?.text ?? "";
  if (!isNoted(text)) return problems;
  if (count(noted) > 1) return [...problems, "its tool was run twice"];
  if (said.includes(NOTED)) return count(noted) === 1 ? problems : [...problems, "its tool was not run"];
  // A tool of a run that was cut short may have done its work or not: it is said so, and not done again.
  const isInDoubt = said.includes(NOT_KNOWN) && begun > 1;
  return isInDoubt ? problems : [...problems, "says nothing of its tool"];
}

/** What did not arrive has its reason: a kill or a fault of the platform, each of them used once. */
function ofFaults(
  conversation: string,
  fates: readonly Fate[],
  { type, platform }: Suspect,
  { kills }: Evidence,
): readonly string[] {
  const faults = (...kinds: readonly FaultKind[]) =>
    platform.injected.filter(
      ({ about, call, kind }) => about === conversation && call !== "event" && kinds.includes(kind),
    ).length;
  const answers = fates.flatMap((fate) =>
    fate.answers.map((answer) => ({ ...answer, shown: shownOf(fate, platform) })),
  );
  const dead = answers.filter(({ state }) => state === "dead");
  const inDoubt = dead.filter(({ cause }) => cause === "outcome_unknown").length;
  const refused = dead.filter(({ cause }) => cause !== "outcome_unknown");
  const tries = refused.reduce((sum, { cause }) => sum + (TRIES[cause ?? ""] ?? 1), 0);
  const unseen = answers.filter(({ state, shown }) => state === "delivered" && shown === 0).length;
  const wrong = (what: string, count: number, most: number) =>
    count > most ? [`${type} ${conversation}: ${count} ${what}, and reason for ${most}`] : [];
  return [
    ...wrong("answers are in doubt", inDoubt, kills.length + faults("serverError", "halfOpen")),
    ...wrong("tries are said to have failed", tries, faults("serverError", "halfOpen", "tooMany")),
    ...wrong("answers are said to be there and are not", unseen, faults("lyingOk")),
  ];
}

/** Answers come in the order in which the service took the messages. */
function ofOrder(conversation: string, fates: readonly Fate[], { type, platform }: Suspect): readonly string[] {
  const abouts = fates.map(({ text }) => aboutOf(text));
  const at = platform.shown(conversation).map((answer) => abouts.indexOf(aboutOf(answer)));
  const isOrdered = at.every((place, index) => index === 0 || place >= (at[index - 1] ?? 0));
  return isOrdered ? [] : [`${type} ${conversation}: answers out of order: ${at.join(" ")}`];
}

/** What one message at least shows, because the service died just there. */
export function ofPlace(
  { point, round, asked: before }: Kill,
  fates: readonly Fate[],
  { asked }: Evidence,
): readonly string[] {
  const own = fates.filter(({ text }) => aboutOf(text).startsWith(round));
  const again = own.filter(({ runs }) => runs > 1);
  const says = (what: string) => again.some(({ text, answers }) => isNoted(text) && answers[0]?.text.includes(what));
  if (point === "tool-started" && !says(NOT_KNOWN)) return [`${round}: a tool that had begun was run again`];
  if (point === "tool-done" && !says(NOTED)) return [`${round}: the result of a tool was not kept`];
  if (point !== ANSWERED) return [];
  const isAsked = ({ text }: Fate, questions: readonly string[]) => questions.includes(aboutOf(text));
  const isSpared = again.some((fate) => isAsked(fate, asked.slice(0, before)) && !isAsked(fate, asked.slice(before)));
  return isSpared ? [] : [`${round}: what was answered was asked again`];
}
