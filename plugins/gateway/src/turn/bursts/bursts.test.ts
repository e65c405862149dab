import type { InboundMessage } from "@parley/core";
import { describe, expect, test } from "vitest";
import type { QueueItem } from "../../store/inbox.ts";
import { type BurstSoFar, canMerge, continuesBurst } from "./burst-rules.ts";
import { createBursts } from "./bursts.ts";
import { createQuietTimes } from "./quiet-time.ts";

const message = (more: Partial<InboundMessage> = {}): InboundMessage => ({
  channelId: "imB",
  sessionId: "imB:private:1",
  conversation: { id: "1", isGroup: false },
  kind: "message",
  sender: { id: "eve", name: "Eve", isAdmin: false },
  text: "hello",
  attachments: [],
  addressed: true,
  source: "imB",
  ...more,
});
const item = (sinceMs: number): QueueItem => ({
  id: `qi_${sinceMs}`,
  traceId: `trc_${sinceMs}`,
  channelId: "imB",
  sessionId: "imB:private:1",
  sinceMs,
  isFirst: true,
});
const isCommand = (text: string) => text.startsWith("/");
const burst = (more: Partial<BurstSoFar> = {}): BurstSoFar => ({
  item: item(0),
  message: message(),
  mode: "interrupt",
  quietMs: 0,
  count: 1,
  firstMs: 0,
  ...more,
});
const later = (sinceMs: number, more: Partial<InboundMessage> = {}) => ({
  item: item(sinceMs),
  message: message(more),
});

describe("a message is answered by itself when it is", () => {
  test.each<[what: string, more: Partial<InboundMessage>]>([
    ["a command", { text: "/new" }],
    ["not meant for the bot", { addressed: false }],
    ["a request by REST", { source: "api" }],
    ["an edit", { kind: "edit" }],
    ["an operator's private question", { isOperatorOnly: true }],
    ["an instruction of the service", { isHidden: true }],
    ["a question for several models", { modelIds: ["a", "b"] }],
  ])("%s", (_what, more) => {
    expect(canMerge(message(), isCommand)).toBe(true);
    expect(canMerge(message(more), isCommand)).toBe(false);
  });
});

describe("a later message continues a burst", () => {
  test("of the same sender in private, of anybody in a group", () => {
    const bob = { sender: { id: "bob", name: "Bob", isAdmin: false } };
    expect(continuesBurst(burst(), later(1))).toBe(true);
    expect(continuesBurst(burst(), later(1, bob))).toBe(false);
    const group = message({ conversation: { id: "1", isGroup: true } });
    expect(continuesBurst(burst({ message: group }), later(1, bob))).toBe(true);
  });

  test("for 15 seconds and 20 messages", () => {
    expect(continuesBurst(burst(), later(15_000))).toBe(true);
    expect(continuesBurst(burst(), later(15_001))).toBe(false);
    expect(continuesBurst(burst({ count: 19 }), later(1))).toBe(true);
    expect(continuesBurst(burst({ count: 20 }), later(1))).toBe(false);
  });

  test("within the quiet time, when the bot waits", () => {
    const waiting = burst({ mode: "wait", quietMs: 900, item: item(500) });
    expect(continuesBurst(waiting, later(1_400))).toBe(true);
    expect(continuesBurst(waiting, later(1_401))).toBe(false);
  });
});

describe("the quiet time", () => {
  const choose = (text: string, attachments: InboundMessage["attachments"] = []) =>
    createQuietTimes().choose(message({ text, attachments }), 0);

  test("is longest after a picture without text, and shortest after a finished sentence", () => {
    const picture = [{ type: "image", url: "https://example.com/a.png" }] as const;
    expect(choose("", picture)).toBe(2_500);
    expect(choose("hi")).toBe(1_800);
    expect(choose("I wanted to tell you that")).toBe(1_200);
    expect(choose("What is the weather like?")).toBe(900);
    expect(choose("今天天气怎么样？")).toBe(900);
  });

  test("follows the pauses of the person, between 600 and 2,500 milliseconds", () => {
    const quick = createQuietTimes();
    for (const at of [0, 100, 200]) quick.choose(message({ text: "so" }), at);
    expect(quick.choose(message({ text: "Done." }), 300)).toBe(600);
    const slow = createQuietTimes();
    for (const at of [0, 5_000]) slow.choose(message({ text: "so" }), at);
    expect(slow.choose(message({ text: "so" }), 10_000)).toBe(2_500);
  });

  test("does not learn from a pause of minutes", () => {
    const times = createQuietTimes();
    times.choose(message({ text: "hi" }), 0);
    expect(times.choose(message({ text: "hi" }), 60_000)).toBe(1_800);
  });
});

describe("a message that waits for a later one", () => {
  const turn = { userMessage: () => null, endMerged: async () => [] };
  const setUp = (queued: readonly QueueItem[]) => {
    const first: string[] = [];
    const bursts = createBursts({
      store: { listWaiting: async () => [] },
      clock: { now: () => 0, monotonic: () => 0 },
      getChannelType: () => "imB",
      isCommand,
    });
    const addFirst = (one: QueueItem) => void first.unshift(one.id);
    bursts.connect({ listOf: () => queued, addFirst }, () => {});
    return { bursts, first };
  };

  test("is answered with it, and with the one that takes over from it", () => {
    const { bursts } = setUp([item(2), item(3)]);
    bursts.defer({ ...later(1), reason: "merged", turn }, item(2));
    bursts.defer({ ...later(2), reason: "merged", turn }, item(3));
    expect(bursts.listDeferred("trc_2")).toEqual([]);
    expect(bursts.listDeferred("trc_3").map(({ item: { id } }) => id)).toEqual(["qi_1", "qi_2"]);
  });

  test("is queued again, in order, when the later one was withdrawn meanwhile", () => {
    const { bursts, first } = setUp([]);
    bursts.defer({ ...later(1), reason: "merged", turn }, item(2));
    expect([first, bursts.listDeferred("trc_2")]).toEqual([["qi_1"], []]);
  });
});
