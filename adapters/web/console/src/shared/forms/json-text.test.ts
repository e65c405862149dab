import { describe, expect, test } from "vitest";
import { jsonOf, textOf } from "./json-text.ts";

describe("JSON as it is written in a field", () => {
  test("is read when it is whole", () => {
    expect(jsonOf('{"a": [1, null]}')).toEqual({ value: { a: [1, null] } });
    expect(jsonOf("null")).toEqual({ value: null });
  });

  test("is nothing while it is broken", () => {
    expect(jsonOf('{"a": ')).toBeUndefined();
    expect(jsonOf("hello")).toBeUndefined();
  });

  test("left empty it stands for the default", () => {
    expect(jsonOf(" \n")).toEqual({ value: undefined });
  });

  test("a value is shown in lines, a missing one as nothing", () => {
    expect(textOf({ a: 1 })).toBe('{\n  "a": 1\n}');
    expect(textOf(undefined)).toBe("");
  });
});
