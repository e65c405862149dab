import { expect, test } from "vitest";
import { formatPerson } from "./format-person.ts";

test("people of the console have a name, those of a platform their platform too", () => {
  expect(["web:user:ann", "imA:user:42", "hook:user:a:b", "default"].map(formatPerson)).toEqual([
    "ann",
    "42 (imA)",
    "a:b (hook)",
    "default",
  ]);
});
