import { expect, test } from "vitest";
import { readSegments } from "./segments.ts";

test.each([
  ["anonymous", {}, "hi"],
  ["marketface", { summary: "[cat]" }, "[sticker cat]hi"],
  ["bface", { text: "[cat]" }, "[sticker cat]hi"],
  ["tts", { text: "oh, " }, "oh, hi"],
])("a segment of the type %s is shown as readable text", (type, data, text) => {
  const hi = { type: "text", data: { text: "hi" } };
  expect(readSegments([{ type, data }, hi], "1")).toMatchObject({ text, unknown: undefined });
});
