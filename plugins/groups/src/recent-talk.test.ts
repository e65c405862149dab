import { expect, test } from "vitest";
import { createRecentTalk, type RememberedLine } from "./recent-talk.ts";

const line = (senderId: string, text: string, channelId = "imB"): RememberedLine => ({
  ...{ channelId, senderId, sender: senderId, text, atMs: 0 },
  ...{ isOwn: false, isBot: false, isStored: false, platformMessageId: undefined },
});

test("an erased person's lines are forgotten in all groups, and nobody else's", () => {
  const talk = createRecentTalk();
  talk.add("imB:group:1", line("7", "one"));
  talk.add("imB:group:1", line("8", "two"));
  talk.add("imB:group:2", line("7", "three"));
  talk.add("imA:group:3", line("7", "four", "imA"));
  expect(talk.forgetPerson([{ address: "imB:user:7", channelId: "imB", userId: "7" }])).toBe(2);
  const listTexts = (id: string) => talk.list(id, 0).map(({ text }) => text);
  expect(["imB:group:1", "imB:group:2", "imA:group:3"].map(listTexts)).toEqual([["two"], [], ["four"]]);
});

test("a deleted group's talk is forgotten", () => {
  const talk = createRecentTalk();
  talk.add("imB:group:1", line("7", "one"));
  talk.forgetGroup("imB:group:1");
  expect(talk.list("imB:group:1", 0)).toEqual([]);
});
