import { expect, test } from "vitest";
import { findListPrice, LIST_PRICES } from "./list-prices.ts";

const ids = LIST_PRICES.flatMap((price) => price.ids);

test("every list price names one model, is above zero, and has a source and a date", () => {
  expect(ids.length).toBeGreaterThan(40);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(ids.filter((id) => id !== id.trim() || !/^[a-z]/.test(id) || id.endsWith("-latest"))).toEqual([]);
  for (const { ids, input, output, checked, source } of LIST_PRICES) {
    expect(input, ids[0]).toBeGreaterThan(0);
    expect(output, ids[0]).toBeGreaterThanOrEqual(input);
    expect(new Date(checked).toISOString().slice(0, 10), ids[0]).toBe(checked);
    expect(Date.parse(checked), ids[0]).toBeLessThan(Date.now());
    expect(new URL(source).protocol).toBe("https:");
  }
});

test("a model name gets only the price of its own entry, and unlisted names get none", () => {
  for (const price of LIST_PRICES) for (const id of price.ids) expect(findListPrice(id), id).toBe(price);
  expect(findListPrice(" gpt-5-mini-2025-08-07 ")).toMatchObject({ input: 0.25, output: 2, checked: "2025-11-13" });
  const others = ["gpt-4o-2024-05-13", "gpt-5-2030-01-01", "gpt-5-chat-latest", "openai/gpt-5", "claude", "gpt", ""];
  expect(others.filter((id) => findListPrice(id))).toEqual([]);
});
