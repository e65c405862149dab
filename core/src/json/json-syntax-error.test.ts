import { expect, test } from "vitest";
import { toLocalized } from "../error-texts.ts";
import { createJsonSyntaxError } from "./json-syntax-error.ts";

const findPosition = (json: string) => {
  const { line, column } = (createJsonSyntaxError(json).detail?.params ?? {}) as {
    readonly line?: number;
    readonly column?: number;
  };
  return `${line}:${column}`;
};

test.each([
  ["", "1:1"],
  ["hello", "1:1"],
  ["[1 2]", "1:4"],
  ['{"a": 1,}', "1:9"],
  ["{a: 1}", "1:2"],
  ['{"a" 1}', "1:6"],
  ['{"a": 1}}', "1:9"],
  ['{"a": 1]', "1:8"],
  ['{\n  "a": 1\n  "b": 2\n}', "3:3"],
  ["[\r\n  1,\r\n  2,\r\n]", "4:1"],
  ['{\n  "名字": 亚\n}', "2:9"],
  ['{"a": "😀", b}', "1:12"],
  ["[tru]", "1:5"],
  ["[01]", "1:3"],
  ["[-]", "1:3"],
  ["[1.]", "1:4"],
  ["[1e+]", "1:5"],
  ['["a\\q"]', "1:5"],
  ['["\\u12G4"]', "1:7"],
  ['{"a": "b\nc"}', "1:9"],
  ['{"a": "b', "1:9"],
  ["[1, 2\n", "2:1"],
  [`${"[".repeat(100_000)}x`, "1:100001"],
])("%.20j stops being valid JSON at %s", (json, place) => {
  expect(findPosition(json)).toBe(place);
});

test("the error is described in both languages, with the field if there is one", () => {
  expect(toLocalized(createJsonSyntaxError("{,"))).toEqual({
    en: "is not valid JSON: line 1, column 2",
    zh: "不是有效的 JSON：第 1 行第 2 列",
  });
  expect(createJsonSyntaxError("{,", "body").message).toBe("body: is not valid JSON: line 1, column 2");
});

test("bytes that are not UTF-8 get advice on how to save them", () => {
  expect(createJsonSyntaxError(Uint8Array.from([0x7b, 0xc4, 0xe3, 0x7d])).message).toBe(
    "is not UTF-8: save it as UTF-8",
  );
});

/** Returns the position of the engine's syntax error; `unsaid` when the engine gives none, undefined for valid JSON. */
function positionOf(json: string): number | "unsaid" | undefined {
  try {
    JSON.parse(json);
    return undefined;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return position === undefined ? "unsaid" : Number(position);
  }
}

test("wherever one character is missing or wrong, the position is the one the engine reports", () => {
  const text = '{"a":[1,-2.5e+3,true,null,{"b c":"d\\n\\u00e9"}],"e":{},"f":[]}';
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    for (const other of ["", ",", "}", "]", '"', "x", "\\", "\u0001"]) {
      const json = text.slice(0, at) + other + text.slice(at + 1);
      const position = positionOf(json);
      if (position === "unsaid") continue;
      count += 1;
      expect(findPosition(json), json).toBe(`1:${(position ?? json.length) + 1}`);
    }
  }
  expect(count).toBeGreaterThan(200);
});
