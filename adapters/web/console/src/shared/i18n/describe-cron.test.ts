import { expect, test } from "vitest";
import { describeCron } from "./describe-cron.ts";

test.each([
  ["0 8 * * *", undefined, "8:00 AM"],
  ["30 21 * * 1-5", "Mon–Fri", "9:30 PM"],
  ["5 0 * * mon,WED,7", "Mon, Wed, Sun", "12:05 AM"],
])("%s is said as people say it", (cron, days, time) => {
  const words = describeCron(cron, "en");
  expect(words?.days).toBe(days);
  expect(words?.time.replace("\u202f", " ")).toBe(time);
});

test("is said in the reader's language", () => {
  expect(describeCron("0 8 * * 1-5", "zh-CN")).toEqual({ days: "周一–周五", time: "08:00" });
});

test.each([
  "*/5 * * * *",
  "0 8 1 * *",
  "0 8 * 6 *",
  "0 8-9 * * *",
  "0 8 * * 1-5/2",
  "0 8 * * 8",
  "61 8 * * *",
  "soon",
  "",
])("%s is left as it is written", (cron) => {
  expect(describeCron(cron, "en")).toBeUndefined();
});
