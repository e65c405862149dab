import { expect, test } from "vitest";
import { toggle } from "./toggle.ts";

test("an item is put in where it was missing and taken out where it was, and the others keep their order", () => {
  expect([...toggle(["b", "a"], "c")]).toEqual(["b", "a", "c"]);
  const before = new Set(["b", "a", "c"]);
  expect([...toggle(before, "a")]).toEqual(["b", "c"]);
  expect(before.size).toBe(3);
});
