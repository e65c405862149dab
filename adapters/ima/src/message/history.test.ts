import type { OutboundMessage } from "@parley/core";
import { expect, test } from "vitest";
import type { Bridge } from "../bridge/bridge.ts";
import { reconcileByHistory } from "./history.ts";

const SENT = {
  deliveryId: "dlv_1",
  conversation: { id: "group:501", isGroup: true },
  text: "Hello there\nand  goodbye",
  attachments: [],
  part: 1,
} as unknown as OutboundMessage;
const reconcile = (answer: unknown) =>
  reconcileByHistory({ call: async () => answer } as unknown as Bridge, SENT, "10001", new Set());

const text = (content: string) => [{ type: "text", data: { text: content } }];
const own = (more: object) => ({ message_id: 1, user_id: 10_001, time: 1, ...more });
const hello = own({ message: text("Hello there\nand  goodbye") });
const other = own({ message: text("Other words") });

test.each<[shape: string, answer: unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a text", "messages"],
  ["a number", 7],
  ["an empty object", {}],
  ["null as its list", { messages: null }],
  ["a text as its list", { messages: "none" }],
  ["an object as its list", { messages: { 0: hello } }],
  ["its list under another name", { list: [other] }],
  ["a list of null", { messages: [null, null] }],
  ["a list of numbers", { messages: [1, 2] }],
  ["messages without content", { messages: [own({}), own({ message: null })] }],
  ["messages with empty content", { messages: [own({ message: [] }), own({ message: "" })] }],
  ["messages of another shape", { messages: [{ id: 1, elements: [{ textElement: { content: "Hello" } }] }] }],
])("a history that is %s leaves the outcome of a delivery unknown", async (_shape, answer) => {
  expect(await reconcile(answer)).toBe("unknown");
});

test.each<[shape: string, answer: unknown]>([
  ["a list", [hello]],
  ["a list of messages", { messages: [other, hello] }],
  ["an id as text", { messages: [{ ...hello, user_id: "10001" }] }],
  ["an id of its sender alone", { messages: [{ ...hello, user_id: undefined, sender: { user_id: "10001" } }] }],
  ["other line ends", { messages: [own({ message: text("Hello there\r\nand  goodbye") })] }],
  ["other spaces", { messages: [own({ message: text("Hello there\n and\u00a0 goodbye ") })] }],
  ["a text with codes", { messages: [own({ message: "Hello there\nand  goodbye" })] }],
  ["its raw message alone", { messages: [own({ raw_message: "Hello there\nand  goodbye" })] }],
  ["pieces of text", { messages: [own({ message: [...text("Hello "), ...text("there\nand  goodbye")] })] }],
  ["one odd entry", { messages: [null, hello] }],
])("a message is found in a history with %s", async (_shape, answer) => {
  expect(await reconcile(answer)).toBe("delivered");
});

test.each<[shape: string, answer: unknown]>([
  ["an empty list", { messages: [] }],
  ["other words", { messages: [other] }],
  ["the same words of somebody else", { messages: [{ ...hello, user_id: 20_002 }] }],
])("a message is absent from a history with %s", async (_shape, answer) => {
  expect(await reconcile(answer)).toBe("absent");
});
