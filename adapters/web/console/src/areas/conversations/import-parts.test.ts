import { expect, test } from "vitest";
import { importParts } from "./import-parts.ts";

const sessions = (count: number, content = "hello") =>
  Array.from({ length: count }, (_, at) => ({ name: `Nr ${at}`, messages: [{ role: "user", content }] }));
const text = (value: unknown) => JSON.stringify(value);
const all = (parts: readonly string[] = []) => parts.flatMap((part) => JSON.parse(part).sessions);

test("a file that the service takes goes as it is", () => {
  for (const whole of ["no JSON", "[1]", "null", text({ sessions: "none" }), text({ sessions: sessions(500) })]) {
    expect(importParts(whole)).toBeUndefined();
  }
});

test("more conversations than that go in parts, all of them in their order, with what the file says of itself", () => {
  const many = sessions(1_201);
  const parts = importParts(text({ version: 1, exported_at: "2026-01-01", sessions: many }));
  expect(parts?.map((part) => JSON.parse(part).sessions.length)).toEqual([500, 500, 201]);
  expect(parts?.every((part) => JSON.parse(part).version === 1)).toBe(true);
  expect(all(parts)).toEqual(many);
});

test("few large conversations go in parts too, and one that is too large goes alone", () => {
  const large = [...sessions(3, "x".repeat(7_000_000)), ...sessions(1, "y".repeat(16_000_000)), ...sessions(1)];
  const parts = importParts(text({ sessions: large }));
  expect(parts?.map((part) => JSON.parse(part).sessions.length)).toEqual([2, 1, 1, 1]);
  expect(all(parts)).toEqual(large);
});
