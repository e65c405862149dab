import { expect, test } from "vitest";
import { decodeUpdate } from "./decode.ts";

const chat = { id: 7, type: "private" } as const;
const from = { id: 7, first_name: "Lin" };

test("a pressed button gets no time from its message, which may be old or unknown", () => {
  const pressed = { id: "c", from, data: "yes", message: { message_id: 3, chat, date: 0 } };
  const message = decodeUpdate("imB", { update_id: 1, callback_query: pressed }, undefined);
  expect(message).toMatchObject({ text: "yes", platformMessageId: "7:3" });
  expect(message).not.toHaveProperty("platformTime");
});

test("a song without a file name is called by its performer and title", () => {
  const audio = { file_id: "A1", performer: "Band", title: "Night song" };
  const update = { update_id: 1, message: { message_id: 3, chat, from, date: 1, audio } };
  expect(decodeUpdate("imB", update, undefined)?.attachments).toMatchObject([{ name: "Band - Night song" }]);
});

test("a quoted message of an unreadable kind is named by its kind", () => {
  const story = { message_id: 1, chat, from: { id: 8, first_name: "Bea" }, date: 1, story: { id: 1 } };
  const update = {
    update_id: 1,
    message: { message_id: 3, chat, from, date: 1, text: "nice?", reply_to_message: story },
  };
  expect(decodeUpdate("imB", update, undefined)?.quoted).toBe("> Bea: [unsupported: story]");
});
