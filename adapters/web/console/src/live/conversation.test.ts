import type { Message } from "@parley/core";
import { describe, expect, test } from "vitest";
import { type Conversation, EMPTY, type Frame, fetched, received } from "./conversation.ts";

const message = (id: string, seq: number, content = id, role = "assistant") => ({ id, seq, content, role }) as Message;
const start = (content = ""): Frame => ({
  type: "ai_stream_start",
  trace_id: "gw_1",
  message: { id: "m2", sender: "Mia", content },
});
const chunk = (index: number, text: string): Frame => ({
  type: "ai_stream_chunk",
  message_id: "m2",
  index,
  chunk: text,
});
const stored = (one: Message): Frame => ({ type: "new_message", message: one });
const after = (...frames: readonly Frame[]): Conversation => frames.reduce(received, EMPTY);
const shown = ({ messages, streaming }: Conversation) => [
  ...messages.map(({ content }) => content),
  ...(streaming ? [streaming.text] : []),
];

describe("a reply that is streamed", () => {
  test("is put together from its pieces and replaced by what is stored", () => {
    const said = after(stored(message("m1", 10, "hi", "user")), start(), chunk(0, "Hel"), chunk(1, "lo"));
    expect(shown(said)).toEqual(["hi", "Hello"]);
    expect(shown(received(said, stored(message("m2", 20, "Hello!"))))).toEqual(["hi", "Hello!"]);
  });

  test("goes on where it was for those who come late", () => {
    expect(shown(after(start("Hel"), chunk(7, "lo "), chunk(8, "you")))).toEqual(["Hello you"]);
  });

  test("shows a piece that comes twice once", () => {
    expect(shown(after(start(), chunk(0, "a"), chunk(0, "a"), chunk(1, "b")))).toEqual(["ab"]);
  });

  test("asks for the messages again when a piece is missing", () => {
    const gap = after(start(), chunk(0, "a"), chunk(2, "c"));
    expect(gap.isStale).toBe(true);
    expect(shown(gap)).toEqual(["a"]);
  });

  test("is not shown twice when the page was fetched meanwhile", () => {
    const said = after(start(), chunk(0, "Hello"));
    expect(shown(fetched(said, [message("m1", 10, "hi"), message("m2", 20, "Hello")]))).toEqual(["hi", "Hello"]);
  });

  test("goes away when the turn fails", () => {
    const failed = after(start(), chunk(0, "Hel"), { type: "turn_error", error: "no", code: "upstream_failed" });
    expect(shown(failed)).toEqual([]);
    expect(failed.isRunning).toBe(false);
  });
});

describe("messages", () => {
  test("keep their order, whatever order they come in, and come once", () => {
    const all = after(stored(message("b", 20)), stored(message("a", 10)), stored(message("b", 20, "b again")));
    expect(shown(all)).toEqual(["a", "b again"]);
  });

  test("that were removed are gone", () => {
    const all = after(stored(message("a", 10)), stored(message("b", 20)), {
      type: "messages_removed",
      message_ids: ["a"],
    });
    expect(shown(all)).toEqual(["b"]);
  });

  test("that were shown and are older than the page stay", () => {
    const before = after(stored(message("a", 10)), stored(message("z", 90)));
    expect(shown(fetched(before, [message("b", 20), message("c", 30)]))).toEqual(["a", "b", "c", "z"]);
  });
});
