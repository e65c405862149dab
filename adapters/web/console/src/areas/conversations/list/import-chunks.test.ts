import { ParleyError } from "@parley/client";
import { expect, test } from "vitest";
import { parseExport, splitIntoChunks, toRejectedResult, toSourceId } from "./import-chunks.ts";

const sessions = (count: number, content = "hello") =>
  Array.from({ length: count }, (_, at) => ({ name: `Nr ${at}`, messages: [{ role: "user", content }] }));
const text = (value: unknown) => JSON.stringify(value);
const all = (chunks: readonly string[]) => chunks.flatMap((chunk) => JSON.parse(chunk).sessions);

test("a file that cannot be parsed is sent unchanged", () => {
  for (const whole of ["no JSON", "[1]", "null", text({ sessions: "none" }), text({ sessions: [] })]) {
    expect(parseExport(whole)).toBeUndefined();
  }
});

test("one conversation and many are read, each with its original id", () => {
  expect(parseExport(text({ version: 1, session: { id: "sess_1" } }))).toEqual({
    version: 1,
    sessions: [{ id: "sess_1" }],
  });
  expect(parseExport(text({ sessions: [{ id: "a" }, { id: 2 }] }))?.sessions.map(toSourceId)).toEqual(["a", undefined]);
});

test("conversations are imported in parts, all of them in order, with the information about the file", () => {
  const many = sessions(121);
  const chunks = splitIntoChunks({ version: 1, sessions: many });
  expect(chunks.map((chunk) => JSON.parse(chunk).sessions.length)).toEqual([50, 50, 21]);
  expect(chunks.every((chunk) => JSON.parse(chunk).version === 1)).toBe(true);
  expect(all(chunks)).toEqual(many);
});

test("a few large conversations are split too, and one that is too large is sent alone", () => {
  const large = [...sessions(3, "x".repeat(7_000_000)), ...sessions(1, "y".repeat(16_000_000)), ...sessions(1)];
  const chunks = splitIntoChunks({ sessions: large });
  expect(chunks.map((chunk) => JSON.parse(chunk).sessions.length)).toEqual([2, 1, 1, 1]);
  expect(all(chunks)).toEqual(large);
});

test("a part without anything readable is counted, and any other failure ends the import", () => {
  const [chunk = ""] = splitIntoChunks({ sessions: [{}, {}] });
  const unreadable = new ParleyError({ code: "bad_request", message: "no message", status: 400 });
  expect(toRejectedResult(chunk, unreadable)).toMatchObject({
    imported: 0,
    failed: 2,
    errors: [{ error: "no message" }],
  });
  const late = new ParleyError({ code: "timed_out", message: "late", status: 504 });
  expect(() => toRejectedResult(chunk, late)).toThrow("late");
});
