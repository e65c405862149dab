import type { InboundMessage } from "@parley/core";
import { describe, expect, test } from "vitest";
import { completeText, isBlank } from "./inbound-text.ts";

const say = (text: string, isGroup: boolean): InboundMessage =>
  ({
    kind: "message",
    conversation: { id: "c", isGroup },
    sender: { id: "1", name: "Lin", isAdmin: false },
    text,
    attachments: [],
    addressed: true,
  }) as unknown as InboundMessage;

describe.each(["\u200b", "\u034f", "\ufe0f", "\u2800", "\u2060\u3164", "\u{e0061}", " \u180b "])(
  "a message with %j alone",
  (text) => {
    test("needs no answer in a private chat", () => {
      expect(isBlank(say(text, false))).toBe(true);
    });

    test("beside a mention in a group is a bare mention", () => {
      expect(isBlank(say(text, true))).toBe(false);
      expect(completeText(say(text, true)).text).toBe(completeText(say("", true)).text);
    });
  },
);

test.each(["❤️", "。", "é", "👨‍👩‍👧"])("needs an answer when the text is %j", (text) => {
  expect(isBlank(say(text, false))).toBe(false);
  expect(completeText(say(text, true)).text).toBe(text);
});

test("an edit that removes all text mentions the bot in a group, and nobody in a private chat", () => {
  const edit = (isGroup: boolean) => completeText({ ...say("", isGroup), kind: "edit" }).text;
  expect(edit(true)).toBe(completeText(say("", true)).text);
  expect(edit(false)).toBe("");
});
