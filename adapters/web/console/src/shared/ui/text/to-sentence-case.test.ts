import { expect, test } from "vitest";
import { toSentenceCase } from "./to-sentence-case.ts";

test.each([
  ["must be a number", "Must be a number"],
  ["the password is wrong, or the package was changed", "The password is wrong, or the package was changed"],
  ["needs confirm: true", "Needs confirm: true"],
  ["required", "Required"],
  ["'id' is taken", "'id' is taken"],
  ["“id” does not exist", "“id” does not exist"],
  ["name: is required", "name: is required"],
  ["api_key_env is not set", "api_key_env is not set"],
  ["config.url: must be an address", "config.url: must be an address"],
  ["不能为空", "不能为空"],
  ["", ""],
])("%s is shown as a sentence: %s", (input, shown) => {
  expect(toSentenceCase(input)).toBe(shown);
});
