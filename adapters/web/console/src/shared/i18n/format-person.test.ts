import { expect, test } from "vitest";
import { formatPerson } from "./format-person.ts";

test("console accounts are shown by name, people on a platform by name and platform", () => {
  expect(["web:user:ann", "imA:user:42", "hook:user:a:b", "default"].map(formatPerson)).toEqual([
    "ann",
    "42 (imA)",
    "a:b (hook)",
    "default",
  ]);
});
