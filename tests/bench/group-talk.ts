// Prints how often each group trigger joins in where it should not, and misses that the bot is addressed, per 100 messages and without
// a model, on the talks of tests/bench/group-talk: those on which the judge was fitted, together as "all", and those held out. With
// --wrong also the fitted messages that the judge got wrong.
// node --conditions=@parley/source tests/bench/group-talk.ts

import { listSignals } from "../../plugins/groups/src/address/score-address.ts";
import { countMistakes, GROUP_TALKS, HELD_OUT_TALKS, readGroupTalks } from "../harness/group-talk.ts";

const TRIGGERS = ["mention", "listen", "keywords", "probability", "judge", "all", "never"] as const;
const sets = GROUP_TALKS.map((file) => ({ file, messages: readGroupTalks(file) }));
const all = sets.flatMap(({ messages }) => messages);
console.log(`mistakes per 100 messages, as interjections / missed`);
const testTalks = HELD_OUT_TALKS.map((file) => ({ file: `${file} (held out)`, messages: readGroupTalks(file) }));
for (const { file, messages } of [...sets, { file: "all", messages: all }, ...testTalks]) {
  console.log(`${file}: ${messages.length} messages`);
  for (const trigger of TRIGGERS) {
    const { interjections, missed } = countMistakes(trigger, messages, createRandom());
    console.log(`  ${trigger.padEnd(12)} ${interjections} / ${missed}`);
  }
}
if (process.argv.includes("--wrong"))
  for (const message of countMistakes("judge", all, createRandom()).wrong)
    console.log(`${message.to}\t${message.line.sender}: ${message.line.text}\t${listSignals(message).join(", ")}`);

/** Creates a generator of numbers that are the same in each run. */
function createRandom(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
