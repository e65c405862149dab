import { expect, test } from "vitest";
import type { Shapes } from "../../../shared/api/client.ts";
import { collectTags, groupByTime } from "./session-groups.ts";

type Row = Shapes["SessionItem"];
const createRow = (name: string, last_message_at: string | null, more: Partial<Row> = {}) =>
  ({
    id: name,
    name,
    last_message_at,
    created_at: "2020-01-01T00:00:00",
    pinned: false,
    tags: [],
    ...more,
  }) as unknown as Row;

test("conversations are grouped under pinned, today, yesterday, this week and earlier; one from the future counts as today", () => {
  const now = new Date("2026-03-10T09:00:00");
  const rows = [
    createRow("p", "2025-01-01T00:00:00", { pinned: true }),
    createRow("future", "2026-03-12T00:00:00"),
    createRow("today", "2026-03-10T00:00:00"),
    createRow("yesterday", "2026-03-09T23:59:00"),
    createRow("week", "2026-03-05T00:00:00"),
    createRow("old", "2026-02-01T00:00:00"),
    createRow("silent", null),
  ];
  const lines = groupByTime(rows, now).map((line) => ("heading" in line ? line.heading : line.session.name));
  expect(lines).toEqual([
    ...[
      "pinned",
      "p",
      "today",
      "future",
      "today",
      "yesterday",
      "yesterday",
      "thisWeek",
      "week",
      "earlier",
      "old",
      "silent",
    ],
  ]);
});

test("tags are listed once, the most used first", () => {
  expect(collectTags([createRow("a", null, { tags: ["x", "b"] }), createRow("b", null, { tags: ["b", "a"] })])).toEqual(
    ["b", "a", "x"],
  );
});
