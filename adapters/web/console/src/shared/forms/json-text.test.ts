import { describe, expect, test } from "vitest";
import { parseJson, stringifyJson } from "./json-text.ts";

describe("JSON as it is written in a field", () => {
  test("is read when it is whole", () => {
    expect(parseJson('{"a": [1, null]}')).toEqual({ value: { a: [1, null] } });
    expect(parseJson("null")).toEqual({ value: null });
  });

  test("is nothing while it is broken", () => {
    expect(parseJson('{"a": ')).toBeUndefined();
    expect(parseJson("hello")).toBeUndefined();
  });

  test("left empty it stands for the default", () => {
    expect(parseJson(" \n")).toEqual({ value: undefined });
  });

  test("a value is shown in lines, a missing one as nothing", () => {
    expect(stringifyJson({ a: 1 })).toBe('{\n  "a": 1\n}');
    expect(stringifyJson(undefined)).toBe("");
  });
});
