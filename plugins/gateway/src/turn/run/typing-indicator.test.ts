import { type ChannelLink, type InboundMessage, silentLogger } from "@parley/core";
import { expect, test, vi } from "vitest";
import { showTyping } from "./typing-indicator.ts";

test("typing is shown on the platform while an answer is generated, not when an operator asks privately", async () => {
  vi.useFakeTimers();
  const shown: string[] = [];
  const link = { typing: async (id: string) => void shown.push(id) } as unknown as ChannelLink;
  const message = { channelId: "desk", conversation: { id: "c", isGroup: false }, addressed: true, kind: "message" };
  const show = (more: object) => showTyping({ ...message, ...more } as InboundMessage, link, silentLogger);
  const hides = [show({}), show({ isOperatorOnly: true })];
  await vi.advanceTimersByTimeAsync(800);
  for (const hide of hides) hide();
  vi.useRealTimers();
  expect(shown).toEqual(["c"]);
});
