import { expect, test } from "vitest";
import { parseElements } from "./element-schemas.ts";
import { formatPress, type MessageElement, parsePress } from "./elements.ts";

const item = (id: string) => ({ id, label: `Label ${id}` });
const buttons = (id: string, count: number): MessageElement => ({
  type: "buttons",
  id,
  items: Array.from({ length: count }, (_, at) => item(`i${at}`)),
});

test("accepts elements within the limits", () => {
  const elements: readonly MessageElement[] = [
    buttons("a", 8),
    { type: "select", id: "b", placeholder: "Pick one", items: [item("x")] },
    {
      type: "card",
      title: "T",
      text: "",
      image: "https://example.com/a.png",
      buttons: { type: "buttons", id: "c", items: [item("y")] },
    },
  ];
  expect(parseElements(elements)).toEqual(elements);
});

test.each([
  ["nine buttons", [buttons("a", 9)], /^elements\.0: items must contain less than or equal to 8/],
  ["no buttons", [buttons("a", 0)], /^elements\.0: items/],
  ["a label of 41 characters", [{ type: "buttons", id: "a", items: [{ id: "x", label: "x".repeat(41) }] }], /label/],
  ["two items with one id", [{ type: "buttons", id: "a", items: [item("x"), item("x")] }], /duplicate/],
  ["two elements with one id", [buttons("a", 1), buttons("a", 1)], /the same id/],
  [
    "an address that runs code",
    [{ type: "buttons", id: "a", items: [{ ...item("x"), url: "javascript:alert(1)" }] }],
    /url/,
  ],
  ["another type", [{ type: "slider", id: "a" }], /type/],
])("rejects %s", (_, elements, message) => {
  expect(() => parseElements(elements)).toThrow(message);
});

test("reads a press from a platform's button, and nothing from the buttons of others", () => {
  const text = formatPress(`el_${"a".repeat(20)}`, "x".repeat(31));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64);
  expect(parsePress(text)).toEqual({ elementId: `el_${"a".repeat(20)}`, itemId: "x".repeat(31) });
  expect(parsePress("page:2")).toBeUndefined();
  expect(parsePress("el_a:b:c")).toBeUndefined();
});
