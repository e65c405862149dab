import { expect, test } from "vitest";
import { findPressedItems } from "./pressed-items.ts";

test("finds what was chosen in the messages that presses became", () => {
  const pressed = { element_id: "el_1", item_id: "tea" };
  const found = findPressedItems([
    { metadata: {} },
    { metadata: { pressed } },
    { metadata: { pressed: "of a plugin" } },
  ]);
  expect([...found]).toEqual([["el_1", "tea"]]);
});
