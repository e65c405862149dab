import { expect, test } from "vitest";
import { saidOf } from "./trace-facts.ts";

test("a step says its sentence in the reader's language, and its facts where nobody translated it", () => {
  expect(saidOf({ lines: ["12 ms"] }, "the turn begins", true)).toBe("开始处理");
  expect(saidOf({ lines: ["12 ms"] }, "something new", true)).toBe("12 ms");
  expect(saidOf({ lines: ["12 ms"] }, "something new", false)).toBe("something new");
});
