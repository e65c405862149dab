import { expect, test } from "vitest";
import { detectDirection } from "./text-direction.ts";

test.each([
  ["", "ltr"],
  ["Parley says مرحبا", "ltr"],
  ["مرحبا Parley", "rtl"],
  ["  1. שלום", "rtl"],
  ["42!", "ltr"],
  ["你好", "ltr"],
])("%j begins where its first letter does", (text, direction) => {
  expect(detectDirection(text)).toBe(direction);
});
