import type { InboundMessage } from "@parley/core";
import { expect, test } from "vitest";
import type { Bridge } from "../bridge/bridge.ts";
import { addQuotes } from "./quotes.ts";

const MESSAGE = {
  kind: "message",
  conversation: { id: "private:7", isGroup: false },
  text: "look",
  attachments: [],
} as unknown as InboundMessage;

test("a few pictures of forwarded messages are attached to the message", async () => {
  const image = { type: "image", data: { file: "a.png", url: "https://x.example/a.png" } };
  const content = Array.from({ length: 6 }, () => ({ sender: { nickname: "Bea" }, message: [image] }));
  const event = { post_type: "message", message: [{ type: "forward", data: { content } }] };
  const { text, attachments } = await addQuotes(MESSAGE, event, {} as Bridge);
  expect(text).toContain("Bea: [image a.png]");
  expect(attachments).toHaveLength(4);
  expect(attachments[0]).toMatchObject({ type: "image", url: "https://x.example/a.png" });
});
