// Prints how often each group trigger joins in where it should not, and misses that the bot is addressed, per 100 messages and without
// a model, on the talks of tests/bench/group-talk; with --wrong also the messages that the judge got wrong.
// node --conditions=@parley/source tests/bench/group-talk.ts

import { listClues } from "../../plugins/groups/src/address/score-address.ts";
import { countMistakes, readGroupTalks } from "../harness/group-talk.ts";

const TRIGGERS = ["mention", "listen", "keywords", "probability", "judge", "all", "never"] as const;
const talks = { en: readGroupTalks("en"), zh: readGroupTalks("zh") };
const all = [...talks.en, ...talks.zh];
console.log(`${all.length} messages (${talks.en.length} English, ${talks.zh.length} Chinese); mistakes per 100`);
for (const trigger of TRIGGERS) {
  const figures = [all, talks.en, talks.zh].map((messages) => countMistakes(trigger, messages, createRandom()));
  const columns = figures.map(({ interjections, missed }) => `${interjections} / ${missed}`.padEnd(14));
  console.log(`${trigger.padEnd(12)} interjections / missed: all ${columns[0]} en ${columns[1]} zh ${columns[2]}`);
}
if (process.argv.includes("--wrong"))
  for (const message of countMistakes("judge", all, createRandom()).wrong) {
    const clues = listClues(message).map(({ name, weight }) => `${name} ${weight}`);
    console.log(`${message.to}\t${message.line.sender}: ${message.line.text}\t${clues.join(", ")}`);
  }

/** Creates a generator of numbers that are the same in each run. */
function createRandom(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
