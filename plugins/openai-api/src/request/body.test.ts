import { expect, test } from "vitest";
import { completionBody } from "./body.ts";

const user = { role: "user", content: "hi" };
const repeat = <Item>(item: Item, count: number) => Array.from({ length: count }, () => item);

test.each<[what: string, more: object, problem: RegExp]>([
  ["messages", { messages: repeat({ role: "nobody" }, 2_001) }, /"messages" must contain less than or equal to 2000/],
  ["parts", { messages: [{ role: "user", content: repeat({ type: 1 }, 101) }] }, /less than or equal to 100 items/],
  ["tools", { tools: repeat({ type: "none" }, 129) }, /"tools" must contain less than or equal to 128 items/],
  ["stop texts", { stop: repeat(1, 5) }, /"stop" must contain less than or equal to 4 items/],
])("a request with too many %s is rejected before any of them is checked", (_what, more, problem) => {
  const { error } = completionBody.validate({ model: "default", messages: [user], ...more });
  expect(error?.message).toMatch(problem);
});
