import { expect, test } from "vitest";
import { judgeConversations, toAnswerText } from "./torture-report.ts";

const texts = ["question 0.0", "question 0.1", "question 0.2"];
const answers = texts.map(toAnswerText);
const right = { said: 3, lost: [], twice: [], outOfOrder: [], inDoubt: [] };

test("one answer to each message, in order, passes, whatever text surrounds it", () => {
  expect(judgeConversations([{ said: texts, shown: answers.map((text) => `Bot: ${text}!`) }], [])).toEqual(right);
});

test("a missing answer is lost, unless it waits for a person", () => {
  const [first = "", , third = ""] = answers;
  expect(judgeConversations([{ said: texts, shown: [first, third] }], [])).toEqual({
    ...right,
    lost: ["question 0.1"],
  });
  expect(judgeConversations([{ said: texts, shown: [first, third] }], answers)).toEqual({
    ...right,
    inDoubt: ["question 0.1"],
  });
});

test("a repeated answer is a duplicate", () => {
  expect(judgeConversations([{ said: texts, shown: [...answers, ...answers.slice(1)] }], [])).toMatchObject({
    twice: texts.slice(1),
  });
});

test("an answer after a later one is out of order, within one conversation", () => {
  expect(judgeConversations([{ said: texts, shown: answers.toReversed() }], [])).toMatchObject({
    outOfOrder: texts.slice(0, 2),
  });
  const other = { said: ["question 1.0"], shown: [toAnswerText("question 1.0")] };
  expect(judgeConversations([{ said: texts, shown: answers }, other], [])).toEqual({ ...right, said: 4 });
});

test("a number is not mistaken for the beginning of another one", () => {
  const two = ["question 0.1", "question 0.10"];
  expect(judgeConversations([{ said: two, shown: two.slice(1).map(toAnswerText) }], [])).toMatchObject({
    lost: ["question 0.1"],
  });
});
