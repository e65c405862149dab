// Fits the weights of plugins/groups/src/address/weights.ts to the talks of tests/bench/group-talk, and prints how often the judge is
// wrong on talks that its weights were not fitted to (ten folds by talk); with --write it stores the weights, with --wrong it lists the
// mistakes. Rules and lists of words were written with knowledge of the talks, so that other talks come out worse.
// node --conditions=@parley/source tests/bench/group-talk-fit.ts

import { readFileSync, writeFileSync } from "node:fs";
import { listSignals, MEANT_FROM } from "../../plugins/groups/src/address/score-address.ts";
import { WEIGHTS } from "../../plugins/groups/src/address/weights.ts";
import { GROUP_TALKS, type LabelledMessage, readGroupTalks } from "../harness/group-talk.ts";

const FOLDS = 10;
const STEPS = 4_000;
const RATE = 2;
/** Penalty on the squares of the weights, which keeps rare signals from deciding alone. */
const PENALTY = 0.1;
/** Share of an example where either is fine: it counts a little for silence. */
const EITHER = 0.3;

interface Example {
  readonly message: LabelledMessage;
  readonly file: string;
  readonly signals: readonly string[];
}

type Judged = Example & { readonly score: number };

const examples = GROUP_TALKS.flatMap(readExamples);
const talks = [...new Set(examples.map(toTalk))];
const unseen = Array.from({ length: FOLDS }, (_, fold) => judgeFold(fold)).flat();
for (const file of GROUP_TALKS)
  print(
    `unseen ${file}`,
    unseen.filter((one) => one.file === file),
  );
print("unseen all", unseen);
const weights = fit(examples);
print(
  "fitted all",
  examples.map((one) => ({ ...one, score: sum(weights, one.signals) })),
);
for (const [name, weight] of weights)
  console.log(
    name.padEnd(18),
    weight.toFixed(2).padStart(6),
    examples.filter((one) => one.signals.includes(name)).length,
  );
if (process.argv.includes("--wrong")) for (const one of unseen.filter(isWrong)) printMistake(one);
if (process.argv.includes("--write")) writeWeights();

function readExamples(file: (typeof GROUP_TALKS)[number]): readonly Example[] {
  return readGroupTalks(file)
    .filter(({ isMention }) => !isMention)
    .map((message) => ({ message, file, signals: listSignals(message) }))
    .filter(({ signals }) => !signals.includes("dismissed"));
}

function toTalk({ file, message }: Example): string {
  return `${file} ${message.talk}`;
}

/** Scores the talks of one fold with weights that were fitted to all others. */
function judgeFold(fold: number): readonly Judged[] {
  const own = new Set(talks.filter((_, at) => at % FOLDS === fold));
  const fitted = fit(examples.filter((one) => !own.has(toTalk(one))));
  return examples.filter((one) => own.has(toTalk(one))).map((one) => ({ ...one, score: sum(fitted, one.signals) }));
}

/** Returns the weights of a logistic regression, by gradient descent. */
function fit(given: readonly Example[]): Map<string, number> {
  const names = Object.keys(WEIGHTS).filter((name) => name !== "dismissed");
  const fitted = new Map(names.map((name) => [name, 0]));
  for (let step = 0; step < STEPS; step += 1) {
    const slopes = new Map([...fitted].map(([name, weight]) => [name, name === "none" ? 0 : PENALTY * weight]));
    for (const { message, signals } of given) {
      const share = message.shouldAnswer === undefined ? EITHER : 1;
      const error = share * (1 / (1 + Math.exp(-sum(fitted, signals))) - (message.shouldAnswer === true ? 1 : 0));
      for (const name of ["none", ...signals]) slopes.set(name, (slopes.get(name) ?? 0) + error);
    }
    for (const [name, weight] of fitted) fitted.set(name, weight - (RATE * (slopes.get(name) ?? 0)) / given.length);
  }
  return fitted;
}

function sum(fitted: ReadonlyMap<string, number>, signals: readonly string[]): number {
  return ["none", ...signals].reduce((total, name) => total + (fitted.get(name) ?? 0), 0);
}

function isWrong({ message: { shouldAnswer }, score }: Judged): boolean {
  return shouldAnswer !== undefined && score >= MEANT_FROM !== shouldAnswer;
}

function print(title: string, judged: readonly Judged[]): void {
  const wrong = judged.filter(isWrong);
  const per100 = (isMissed: boolean) =>
    ((wrong.filter(({ message }) => message.shouldAnswer === isMissed).length * 100) / judged.length).toFixed(1);
  console.log(
    `${title.padEnd(12)} ${judged.length} messages, interjections ${per100(false)}, missed ${per100(true)} per 100`,
  );
}

function printMistake({ message: { to, before, line }, score, signals }: Judged): void {
  const last = before.at(-1);
  const context = last ? `${last.sender}: ${last.text.slice(0, 40)}` : "";
  console.log(`${to}\t${context} >> ${line.sender}: ${line.text}\t${score.toFixed(1)} ${signals.join(", ")}`);
}

/** Replaces the numbers of the table, whose rows and reasons stay. */
function writeWeights(): void {
  const path = new URL("../../plugins/groups/src/address/weights.ts", import.meta.url);
  const table = [...weights].reduce(
    (text, [name, weight]) =>
      text.replace(new RegExp(`(\\n {2}${name}: )-?[\\d.]+`, "u"), `$1${Math.round(weight * 10) / 10}`),
    readFileSync(path, "utf8"),
  );
  writeFileSync(path, table);
}
