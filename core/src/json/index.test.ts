import { expect, test } from "vitest";
import { isObject, parseJsonObject, toJsonObject } from "./index.ts";

test.each([[null], [undefined], [[]], [["a"]], ["{}"], [7], [() => ({})]])("%o is no JSON object", (value) => {
  expect(isObject(value)).toBe(false);
  expect(toJsonObject(value)).toEqual({});
});

test("an object is returned as it is", () => {
  const value = { a: [1] };
  expect(isObject(value)).toBe(true);
  expect(toJsonObject(value)).toBe(value);
});

test("only the text of an object is parsed", () => {
  expect(parseJsonObject(' {"a": 1} ')).toEqual({ a: 1 });
  for (const text of ["", "[]", "null", "7", '"a"', "{"]) expect(parseJsonObject(text)).toBeUndefined();
});
