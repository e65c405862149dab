import { expect, test } from "vitest";
import { markPressed, toReplyMarkup } from "./keyboard.ts";

const ID = "el_0123456789abcdefghij";
const LONG_ID = "x".repeat(31);

test("short buttons share a row, links open, and the data fits into 64 bytes", () => {
  const items = [
    { id: "a", label: "Tea" },
    { id: LONG_ID, label: "Coffee" },
    { id: "c", label: "Menu", url: "https://example.com" },
    { id: "d", label: "None" },
  ];
  expect(toReplyMarkup({ elements: [{ type: "buttons", id: ID, items }] })).toEqual({
    reply_markup: {
      inline_keyboard: [
        [
          { text: "Tea", callback_data: `${ID}:a` },
          { text: "Coffee", callback_data: `${ID}:${LONG_ID}` },
          { text: "Menu", url: "https://example.com" },
        ],
        [{ text: "None", callback_data: `${ID}:d` }],
      ],
    },
  });
  expect(Buffer.byteLength(`${ID}:${LONG_ID}`)).toBeLessThanOrEqual(64);
});

test("a long label has a row of its own, and a message without buttons no keyboard", () => {
  const items = [
    { id: "a", label: "A rather long label" },
    { id: "b", label: "B" },
  ];
  expect(toReplyMarkup({ elements: [{ type: "buttons", id: ID, items }] })).toMatchObject({
    reply_markup: { inline_keyboard: [[{ text: "A rather long label" }], [{ text: "B" }]] },
  });
  expect(toReplyMarkup({})).toEqual({});
});

test("after a press the chosen button is marked and the others of its element are gone", () => {
  const link = { text: "Menu", url: "https://example.com" };
  const other = { text: "Other", callback_data: "el_other:a" };
  const rows = [
    [{ text: "Tea", callback_data: `${ID}:a` }, { text: "Coffee", callback_data: `${ID}:b` }, link],
    [other],
  ];
  const marked = [[{ text: "✓ Coffee", callback_data: `${ID}:b` }, link], [other]];
  expect(markPressed(rows, `${ID}:b`)).toEqual(marked);
  expect(markPressed(marked, `${ID}:b`)).toEqual(marked);
});
