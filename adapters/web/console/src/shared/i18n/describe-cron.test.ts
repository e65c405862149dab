import { expect, test } from "vitest";
import { describeCron } from "./describe-cron.ts";

test.each([
  ["0 8 * * *", undefined, "8:00 AM"],
  ["30 21 * * 1-5", "Mon–Fri", "9:30 PM"],
  ["5 0 * * mon,WED,7", "Mon, Wed, Sun", "12:05 AM"],
])("%s is described in words", (cron, days, time) => {
  const words = describeCron(cron, "en");
  expect(words?.days).toBe(days);
  expect(words && "time" in words && words.time.replace("\u202f", " ")).toBe(time);
});

test.each([
  ["*/5 * * * *", undefined, "5 minutes"],
  ["* * * * *", undefined, "1 minute"],
  ["*/30 * * * mon-fri", "Mon–Fri", "30 minutes"],
  ["0 * * * *", undefined, "1 hour"],
  ["0 */6 * * *", undefined, "6 hours"],
])("%s is described as an interval", (cron, days, interval) => {
  expect(describeCron(cron, "en")).toEqual({ days, interval });
});

test("a schedule is described in the reader's language", () => {
  expect(describeCron("*/5 * * * *", "zh-CN")).toEqual({ days: undefined, interval: "5 分钟" });
  expect(describeCron("0 8 * * 1-5", "zh-CN")).toEqual({ days: "周一–周五", time: "08:00" });
});

test.each([
  "*/7 * * * *",
  "*/0 * * * *",
  "*/5 8 * * *",
  "5 */6 * * *",
  "*/5 * 1 * *",
  "0 8 1 * *",
  "0 8 * 6 *",
  "0 8-9 * * *",
  "0 8 * * 1-5/2",
  "0 8 * * 8",
  "61 8 * * *",
  "soon",
  "",
])("%s is shown as written", (cron) => {
  expect(describeCron(cron, "en")).toBeUndefined();
});
