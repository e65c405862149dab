import { describe, expect, test } from "vitest";
import { parseJson, stringifyJson } from "./json-text.ts";

describe("JSON in a text field", () => {
  test("is parsed when it is complete", () => {
    expect(parseJson('{"a": [1, null]}')).toEqual({ value: { a: [1, null] } });
    expect(parseJson("null")).toEqual({ value: null });
  });

  test("has no value while it is invalid", () => {
    expect(parseJson('{"a": ')).toBeUndefined();
    expect(parseJson("hello")).toBeUndefined();
  });

  test("means the default when it is empty", () => {
    expect(parseJson(" \n")).toEqual({ value: undefined });
  });

  test("shows a value on several lines, and nothing for a missing value", () => {
    expect(stringifyJson({ a: 1 })).toBe('{\n  "a": 1\n}');
    expect(stringifyJson(undefined)).toBe("");
  });
});
