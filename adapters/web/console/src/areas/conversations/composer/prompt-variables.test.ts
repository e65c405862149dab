import { expect, test } from "vitest";
import { fillVariables, getBuiltInValues, parseVariables } from "./prompt-variables.ts";

test("each variable of a prompt is asked for once, with its options", () => {
  const content =
    "{{ Topic }} in a {{tone: formal | casual}} tone, {{语言:中文}}. Again {{topic}}; not { {one} } nor {{}}.";
  expect(parseVariables(content)).toEqual([
    { key: "topic", name: "Topic", options: [] },
    { key: "tone", name: "tone", options: ["formal", "casual"] },
    { key: "语言", name: "语言", options: ["中文"] },
  ]);
});

test("inserted values are not expanded again, and variables without a value stay", () => {
  const values = { topic: "{{tone}} $& tea", tone: "x" };
  expect(fillVariables("{{TOPIC}}, {{tone: a | b}}, {{constructor}}", values)).toBe(
    "{{tone}} $& tea, x, {{constructor}}",
  );
});

test("date and time variables use the reader's time zone", () => {
  const known = getBuiltInValues(new Date(2026, 0, 31, 15, 4), "en-US");
  expect(fillVariables("{{date}} {{Time}}", known)).toBe(
    "January 31, 2026 3:04 PM".replace(" PM", known.time?.slice(-3) ?? ""),
  );
});
