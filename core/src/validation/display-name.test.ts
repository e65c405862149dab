import { describe, expect, test } from "vitest";
import { displayName } from "./display-name.ts";

const checked = (name: string) => displayName(5).validate(name, { errors: { label: false } });

describe("a display name", () => {
  test.each([
    ["is trimmed", "  Ada ", "Ada"],
    ["is composed", "Ame\u0301", "Amé"],
    ["is counted by characters", "🦜🦜🦜🦜🦜", "🦜🦜🦜🦜🦜"],
    ["may be of any script", "שלום", "שלום"],
  ])("%s", (_what, given, name) => {
    expect(checked(given)).toEqual({ value: name });
  });

  test.each([
    ["nothing", "   ", /not allowed to be empty/],
    ["too much", "abcdef", /less than or equal to 5 characters/],
    ["a line break", "a\nb", /control characters/],
    ["NUL", "a\0b", /control characters/],
    ["an escape", "a\u001b[1m", /control characters/],
    ["a mark that turns what follows", "a\u202eb", /marks of direction/],
    ["an isolate", "a\u2066b", /marks of direction/],
    ["half a character", "a\ud83e", /control characters/],
  ])("of %s is rejected", (_what, given, message) => {
    expect(checked(given).error?.message).toMatch(message);
  });
});
