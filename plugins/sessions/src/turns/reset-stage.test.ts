import { expect, test } from "vitest";
import { isOver } from "./reset-stage.ts";

const NOW = Date.parse("2026-01-06T10:00:00Z");
const at = (last_message_at: string | null, more: object) => ({
  last_message_at,
  reset_after_idle_h: null,
  reset_daily_at: null,
  ...more,
});

test.each([
  ["2026-01-06T04:01:00Z", { reset_after_idle_h: 6 }, false],
  ["2026-01-06T04:00:00Z", { reset_after_idle_h: 6 }, true],
  ["2026-01-01T00:00:00Z", { reset_after_idle_h: 0 }, false],
  [null, { reset_after_idle_h: 1 }, false],
  // 04:00 in Tokyo is 19:00 of the day before in UTC.
  ["2026-01-05T18:59:00Z", { reset_daily_at: "04:00" }, true],
  ["2026-01-05T19:01:00Z", { reset_daily_at: "04:00" }, false],
  // At 10:00 UTC it is 19:00 in Tokyo: today's 20:00 has not come yet.
  ["2026-01-05T10:59:00Z", { reset_daily_at: "20:00" }, true],
  ["2026-01-05T11:01:00Z", { reset_daily_at: "20:00" }, false],
  ["2025-12-01T00:00:00Z", { reset_daily_at: "" }, false],
])("after a last message at %s with %j the conversation is over: %s", (last, settings, over) => {
  expect(isOver(at(last, settings), NOW, "Asia/Tokyo")).toBe(over);
});
