import type { MessageElement } from "@parley/core";
import { expect, test } from "vitest";
import { layOutElements, numberElements, selectSendable } from "./lay-out-elements.ts";

const items = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `i${at}`, label: `Item ${at + 1}` }));
const buttons: MessageElement = { type: "buttons", id: "b", items: items(2) };
const short: MessageElement = { type: "select", id: "s", placeholder: "Pick one", items: items(3) };
const long: MessageElement = { type: "select", id: "l", placeholder: "Pick one", items: items(9) };
const card: MessageElement = {
  type: "card",
  title: "Build",
  text: "It failed.",
  image: "https://example.com/a.png",
  buttons: { type: "buttons", id: "c", items: items(1) },
};

test("shows what the platform can show as it is", () => {
  const all = [buttons, short, card];
  expect(layOutElements(all, ["buttons", "select", "card"])).toEqual({ text: "", pictures: [], elements: all });
});

test("shows a short list as buttons, and a card as text with its buttons, where there are only buttons", () => {
  expect(layOutElements([short, card], ["buttons"])).toEqual({
    text: "Pick one\n\n**Build**\n\nIt failed.",
    pictures: [{ type: "image", url: "https://example.com/a.png" }],
    elements: [
      { type: "buttons", id: "s", items: items(3) },
      { type: "buttons", id: "c", items: items(1) },
    ],
  });
  expect(numberElements([short, card], ["buttons"]).size).toBe(0);
});

test("numbers the items of everything that is written, across the elements of a message", () => {
  const { text, elements } = layOutElements([buttons, card, long], []);
  expect(elements).toEqual([]);
  expect(text).toContain("1. Item 1\n2. Item 2\n\n**Build**\n\nIt failed.\n\n3. Item 1\n\nPick one\n4. Item 1");
  expect([...numberElements([buttons, card, long], [])]).toEqual([
    ["b", 1],
    ["c", 3],
    ["l", 4],
  ]);
});

test("writes the address of a link in place of a number", () => {
  const links = {
    ...buttons,
    items: [
      { id: "a", label: "Docs", url: "https://example.com" },
      { id: "b", label: "Yes" },
    ],
  };
  expect(layOutElements([links], []).text).toBe("Docs: https://example.com\n1. Yes");
});

test("leaves out what would become numbered lines where the rules allow none", () => {
  const all = [buttons, short, long, card];
  expect(selectSendable(all, { isNumbered: false }, [])).toEqual([]);
  expect(selectSendable(all, { isNumbered: false }, ["buttons"])).toEqual([buttons, short]);
  expect(selectSendable(all, {}, [])).toBe(all);
});
