import { expect, test } from "vitest";
import { hasRelativeDate, replaceRelativeDates } from "./relative-dates.ts";

// A Saturday.
const MESSAGE_TIME = Date.parse("2026-11-21T23:30:00Z");

test.each([
  ["I met Ben yesterday", "I met Ben on 2026-11-20"],
  ["the day before yesterday it rained", "on 2026-11-19 it rained"],
  ["I will fly tomorrow morning", "I will fly on 2026-11-22"],
  ["two weeks ago I moved", "in the week of 2026-11-07 I moved"],
  ["I started 3 months ago", "I started in 2026-08"],
  ["we married last year", "we married in 2025"],
  ["we married ten years ago", "we married in 2016"],
  ["I have lived here since last year", "I have lived here since 2025"],
  ["last Friday I ran", "on 2026-11-20 I ran"],
  ["last Saturday I ran", "on 2026-11-14 I ran"],
  ["next Monday is my exam", "on 2026-11-23 is my exam"],
  ["昨天我去了京都", "2026年11月20日我去了京都"],
  ["大前天下雨", "2026年11月18日下雨"],
  ["前天晚上很冷", "2026年11月19日很冷"],
  ["我后天考试", "我2026年11月23日考试"],
  ["三天前我搬家了", "2026年11月18日我搬家了"],
  ["上周五我见了小林", "2026年11月13日我见了小林"],
  ["上个月我换了工作", "2026年10月我换了工作"],
  ["我去年毕业", "我2025年毕业"],
])("the date in %s is %s", (input, meant) => {
  expect(hasRelativeDate(input)).toBe(true);
  expect(replaceRelativeDates(input, MESSAGE_TIME, "UTC")).toBe(meant);
});

test("a relative date uses the time zone of the message", () => {
  expect(replaceRelativeDates("I met Ben yesterday", MESSAGE_TIME, "Asia/Tokyo")).toBe("I met Ben on 2026-11-21");
  expect(replaceRelativeDates("昨天", MESSAGE_TIME, "America/New_York")).toBe("2026年11月20日");
});

test.each(["I like Friday", "my birthday is on May 5", "当前的情况", "目前住在柏林"])(
  "%s contains no relative date",
  (text) => {
    expect(hasRelativeDate(text)).toBe(false);
    expect(replaceRelativeDates(text, MESSAGE_TIME, "UTC")).toBe(text);
  },
);
