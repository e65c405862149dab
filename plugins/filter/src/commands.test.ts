import { describe, expect, test } from "vitest";
import { isFilterCommand, splitWords } from "./commands.ts";

describe("a typed command", () => {
  test.each([
    ["add word", ["add", "word"]],
    ['add "two words" both', ["add", "two words", "both"]],
    ["add 'it is' recall", ["add", "it is", "recall"]],
    ["  list   -g  42 ", ["list", "-g", "42"]],
    ['add "open', ["add", '"open']],
    ["", []],
  ])("is split into words: %j is %j", (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  test.each([
    ["/msg_filter off", true],
    [" /msg_filter", true],
    ["/msg_filters off", false],
    ["say /msg_filter", false],
  ])("is recognised: %j is %s", (text, isCommand) => {
    expect(isFilterCommand(text)).toBe(isCommand);
  });
});
