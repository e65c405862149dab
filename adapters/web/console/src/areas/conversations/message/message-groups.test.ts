import type { Message } from "@parley/core";
import { expect, test } from "vitest";
import { createMessageGrouper } from "./message-groups.ts";

const message = (seq: number, timestamp = "2026-01-01T12:00:00Z") => ({ id: `m${seq}`, seq, timestamp }) as Message;
const many = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => message((from + at) * 10));

test("message groups keep their identity when messages are added, and change with their content", () => {
  const grouped = createMessageGrouper();
  const middle = many(40, 160);
  const before = grouped(middle);
  expect(before.map(({ messages }) => messages.length)).toEqual([40, 40, 40]);
  const after = grouped([...many(0, 40), ...middle, ...many(160, 170)]);
  expect(after).toHaveLength(5);
  expect(after[2]).toBe(before[1]);
  expect(after[3]).toBe(before[2]);
  const changed = grouped(middle.map((one) => (one.id === "m800" ? { ...one, content: "other" } : one)));
  expect(changed[1]).not.toBe(before[1]);
  expect(changed[2]).toBe(before[2]);
});

test("a new day starts with its first message, also at the edge of a group", () => {
  const days = ["2026-01-01T12:00:00", "2026-01-01T13:00:00", "2026-01-03T09:00:00", "2026-01-03T10:00:00"];
  const groups = createMessageGrouper()(days.map((at, index) => message(390 + index * 10, at)));
  expect(groups.map(({ dayStartIds }) => [...dayStartIds])).toEqual([["m390"], ["m410"]]);
});
