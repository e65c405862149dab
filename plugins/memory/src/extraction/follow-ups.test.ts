import { describe, expect, test } from "vitest";
import { findFollowUps, toFollowUps } from "./follow-ups.ts";

// Tuesday, eight in the evening in Tokyo.
const WRITTEN_MS = Date.parse("2026-03-10T11:00:00Z");
const find = (text: string) =>
  findFollowUps(text, WRITTEN_MS, "Asia/Tokyo").map(({ atMs }) =>
    new Date(atMs + 9 * 3_600_000).toISOString().slice(0, 16),
  );

describe("what a message announces", () => {
  test.each([
    ["My interview is on Friday at 10.", "2026-03-13T12:00"],
    ["I have an exam tomorrow.", "2026-03-11T19:00"],
    ["I'll tell you tomorrow how it went.", "2026-03-11T19:00"],
    ["Remind me tomorrow at 9:30 to call my mother.", "2026-03-11T09:30"],
    ["Please remind me in 3 days.", "2026-03-13T09:00"],
    ["My flight is on 2026-04-02 at 4 pm.", "2026-04-02T18:00"],
    ["我周五上午10点面试。", "2026-03-13T12:00"],
    ["明天下午3点我要去看医生。", "2026-03-11T17:00"],
    ["三天后提醒我交报告。", "2026-03-13T09:00"],
    ["我明天告诉你结果。", "2026-03-11T19:00"],
  ])("%s", (text, at) => {
    expect(find(text)).toEqual([at]);
  });

  test.each([
    "I had an interview yesterday.",
    "I like Fridays.",
    "It rains tomorrow.",
    "My exam was hard.",
    "我昨天面试了。",
    "明天会下雨。",
  ])("nothing: %s", (text) => {
    expect(find(text)).toEqual([]);
  });

  test("is at most three things, of a model too, and none in the past", () => {
    const day = (at: string) => ({ text: "a thing", at });
    const found = toFollowUps(
      [day("2026-03-09T10:00"), day("2026-03-12T10:00"), day("2026-99-12T10:00"), day("2031-01-01T10:00")],
      WRITTEN_MS,
      "Asia/Tokyo",
    );
    expect(found).toEqual([{ text: "a thing", atMs: Date.parse("2026-03-12T01:00:00Z") }]);
  });
});
