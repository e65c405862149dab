import { expect, test } from "vitest";
import { personOf } from "./person.ts";

test("people of the console have a name, those of a platform their platform too", () => {
  expect(["web:user:ann", "imA:user:42", "hook:user:a:b", "default"].map(personOf)).toEqual([
    "ann",
    "42 (imA)",
    "a:b (hook)",
    "default",
  ]);
});
