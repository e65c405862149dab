import { expect, test } from "vitest";
import { toggle } from "./toggle.ts";

test("a missing item is added, a present one is removed, and the others stay in order", () => {
  expect([...toggle(["b", "a"], "c")]).toEqual(["b", "a", "c"]);
  const before = new Set(["b", "a", "c"]);
  expect([...toggle(before, "a")]).toEqual(["b", "c"]);
  expect(before.size).toBe(3);
});
