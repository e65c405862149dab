import { expect, it } from "vitest";
import { createMessage } from "../test-setup.ts";
import { toExtract, toTellingLine } from "./extract-sentences.ts";

it("a thousand messages leave the thirty that tell something, fold by fold", () => {
  const facts = Array.from({ length: 30 }, (_, at) => `My locker number ${at} has the code ${7_000 + at}.`);
  let extract = "";
  for (let fold = 0; fold < 10; fold += 1) {
    const messages = Array.from({ length: 100 }, (_, at) => {
      const number = fold * 100 + at;
      const fact = number % 33 === 0 ? facts[number / 33] : undefined;
      return createMessage(
        at % 2 === 0 ? "user" : "assistant",
        fact ?? `That sounds lovely, tell me more about it. Do go on!`,
      );
    });
    extract = toExtract(messages.map(toTellingLine), extract, 2_000);
    expect(extract.length).toBeLessThanOrEqual(2_000);
  }
  for (const fact of facts) expect(extract).toContain(fact);
});

it("a message is represented by its most telling sentence", () => {
  const message = createMessage("user", "Hello there! My sister moved to Lyon in 2019. How are you?");
  expect(toTellingLine(message)).toBe("Ann: My sister moved to Lyon in 2019.");
});
