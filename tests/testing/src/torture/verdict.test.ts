import { expect, test } from "vitest";
import { answerTo, verdictOn } from "./verdict.ts";

const said = ["question 0.0", "question 0.1", "question 0.2"];
const answers = said.map(answerTo);
const right = { said: 3, lost: [], twice: [], outOfOrder: [], inDoubt: [] };

test("an answer to each, once and in order, is as it should be, whatever stands around it", () => {
  expect(verdictOn([{ said, shown: answers.map((text) => `Bot: ${text}!`) }], [])).toEqual(right);
});

test("what nobody sees is lost, unless it waits for a person", () => {
  const [first = "", , third = ""] = answers;
  expect(verdictOn([{ said, shown: [first, third] }], [])).toEqual({ ...right, lost: ["question 0.1"] });
  expect(verdictOn([{ said, shown: [first, third] }], answers)).toEqual({ ...right, inDoubt: ["question 0.1"] });
});

test("what people see again is answered twice", () => {
  expect(verdictOn([{ said, shown: [...answers, ...answers.slice(1)] }], [])).toMatchObject({ twice: said.slice(1) });
});

test("what comes after something later is out of order, within one conversation", () => {
  expect(verdictOn([{ said, shown: answers.toReversed() }], [])).toMatchObject({ outOfOrder: said.slice(0, 2) });
  const other = { said: ["question 1.0"], shown: [answerTo("question 1.0")] };
  expect(verdictOn([{ said, shown: answers }, other], [])).toEqual({ ...right, said: 4 });
});

test("a number is not the beginning of another one", () => {
  const two = ["question 0.1", "question 0.10"];
  expect(verdictOn([{ said: two, shown: two.slice(1).map(answerTo) }], [])).toMatchObject({ lost: ["question 0.1"] });
});
