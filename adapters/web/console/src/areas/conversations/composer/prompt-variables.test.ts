import { expect, test } from "vitest";
import { builtInValues, fillVariables, parseVariables } from "./prompt-variables.ts";

test("each name is asked for once, with what there is to choose from", () => {
  const content =
    "{{ Topic }} in a {{tone: formal | casual}} tone, {{语言:中文}}. Again {{topic}}; not { {one} } nor {{}}.";
  expect(parseVariables(content)).toEqual([
    { key: "topic", name: "Topic", options: [] },
    { key: "tone", name: "tone", options: ["formal", "casual"] },
    { key: "语言", name: "语言", options: ["中文"] },
  ]);
});

test("what is filled in is not read again, and what has no value stays", () => {
  const values = { topic: "{{tone}} $& tea", tone: "x" };
  expect(fillVariables("{{TOPIC}}, {{tone: a | b}}, {{constructor}}", values)).toBe(
    "{{tone}} $& tea, x, {{constructor}}",
  );
});

test("the date and the time are those of the reader", () => {
  const known = builtInValues(new Date(2026, 0, 31, 15, 4), "en-US");
  expect(fillVariables("{{date}} {{Time}}", known)).toBe(
    "January 31, 2026 3:04 PM".replace(" PM", known.time?.slice(-3) ?? ""),
  );
});
