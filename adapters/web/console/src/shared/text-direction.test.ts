import { expect, test } from "vitest";
import { detectDirection } from "./text-direction.ts";

test.each([
  ["", "ltr"],
  ["Parley says مرحبا", "ltr"],
  ["مرحبا Parley", "rtl"],
  ["  1. שלום", "rtl"],
  ["42!", "ltr"],
  ["你好", "ltr"],
])("%j has the direction of its first letter", (text, direction) => {
  expect(detectDirection(text)).toBe(direction);
});
