import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Bridge } from "./bridge/bridge.ts";
import { type BridgeEvent, parseFrame, parseLossless, toBridgeId, toIdText } from "./bridge/frame.ts";
import { decodeEvent } from "./message/decode.ts";
import { encodeMessage } from "./message/encode.ts";
import { reconcileByHistory } from "./message/history.ts";

interface Sample {
  readonly event: BridgeEvent;
  readonly becomes: object | null;
}
const folder = new URL("../samples/", import.meta.url);
const samples = readdirSync(folder).map((file) => ({
  name: file.replace(".json", ""),
  ...(JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Sample),
}));

describe("an event", () => {
  const parts = { channelId: "imA", selfId: "10001", isOwnMessage: (id: string) => id === "77" };

  test.each(samples)("$name", ({ event, becomes }) => {
    const message = decodeEvent(event, parts);
    if (becomes === null) expect(message).toBeUndefined();
    else expect(message).toMatchObject(becomes);
  });
});

describe("a frame", () => {
  test.each([
    ['{"post_type":"message","echo":"1:1"}', "event"],
    ['{"status":"ok","retcode":0,"data":{},"echo":"1:1"}', "answer"],
    ['{"status":"failed","retcode":1403,"data":null}', "refused"],
    ['{"status":"ok","retcode":0}', "unknown"],
  ])("is recognised: %s is %s", (text, kind) => {
    expect(parseFrame(text)?.kind).toBe(kind);
  });

  test.each(["", "{", "[]", '"x"', `${'{"a":'.repeat(70)}1${"}".repeat(70)}`])("is ignored: %s", (text) => {
    expect(parseFrame(text)).toBeUndefined();
  });

  test("keeps ids that are too large for a JavaScript number", () => {
    const parsed = parseLossless('{"id":9223372036854775807,"small":-5,"float":1.5}') as Record<string, unknown>;
    expect([toIdText(parsed.id), parsed.small, parsed.float]).toEqual(["9223372036854775807", -5, 1.5]);
    expect([toBridgeId("9223372036854775807"), toBridgeId("-5"), toBridgeId("abc")]).toEqual([
      "9223372036854775807",
      -5,
      "abc",
    ]);
  });
});

describe("an answer", () => {
  const message = (more: object) =>
    ({
      text: "",
      attachments: [],
      part: 1,
      parts: 1,
      conversation: { id: "group:1", isGroup: true },
      ...more,
    }) as never;

  test("is sent in parts, the first as a reply, and no text turns into a platform code", () => {
    expect(encodeMessage(message({ text: "[CQ:at,qq=all] **hi**", replyTo: "-7" }))).toEqual([
      { type: "reply", data: { id: "-7" } },
      { type: "text", data: { text: "[CQ:at,qq=all] hi" } },
    ]);
    expect(encodeMessage(message({ text: "hi", replyTo: "-7", part: 2 }))).toHaveLength(1);
  });

  test("sends pictures and stickers as pictures, other files as links, never a local path", () => {
    const attachments = [
      { type: "sticker", url: "https://s.example/1.png" },
      { type: "file", url: "https://f.example/r.pdf", name: "r.pdf" },
      { type: "image", url: "/static/files/x.png" },
    ];
    expect(encodeMessage(message({ attachments }))).toEqual([
      { type: "image", data: { file: "https://s.example/1.png" } },
      { type: "text", data: { text: "r.pdf: https://f.example/r.pdf" } },
      { type: "text", data: { text: "/static/files/x.png" } },
    ]);
  });
});

describe("a message whose delivery outcome is unknown", () => {
  const conversation = { id: "private:40001", isGroup: false };
  const message = { text: "the answer", attachments: [], part: 1, parts: 1, conversation } as never;
  const listed = { message_id: 9, user_id: 10001, message: [{ type: "text", data: { text: "the answer" } }] };
  const other = { ...listed, message_id: 8, user_id: 40001 };

  test.each([
    ["an empty list", { messages: [] }, "absent"],
    ["a list without it", { messages: [other] }, "absent"],
    ["a list with it", { messages: [other, listed] }, "delivered"],
    ["a list and nothing around it", [listed], "delivered"],
    ["an empty list and nothing around it", [], "absent"],
    ["no list", {}, "unknown"],
    ["null for a list", { messages: null }, "unknown"],
    ["another name for the list", { list: [listed] }, "unknown"],
  ])("is looked up in the history: %s", async (_what, answer, found) => {
    const bridge = { call: async () => answer } as unknown as Bridge;
    expect(await reconcileByHistory(bridge, message, "10001", new Set())).toBe(found);
  });
});
