import type { Message } from "@parley/core";
import { describe, expect, test } from "vitest";
import { type Conversation, EMPTY_CONVERSATION, type Frame } from "./conversation.ts";
import { applyNewestPage, applyOlderPage, applyTodos, markStale } from "./history-pages.ts";
import { addPending, applyAck, markStopped } from "./pending-messages.ts";
import { reduceFrame } from "./reduce-frame.ts";

const message = (id: string, seq: number, fields: Partial<Message> = {}) =>
  ({
    id,
    seq,
    content: id,
    role: "assistant",
    revision: 1,
    trace_id: null,
    temp_id: null,
    error: null,
    ...fields,
  }) as Message;
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
const end = (finish_reason: string): Frame => ({ type: "ai_stream_end", message_id: "m2", finish_reason });
const stored = (one: Message): Frame => ({ type: "new_message", message: one });
const joined = (running: object | null): Frame => ({ type: "joined_session", running });
const FETCHED = applyNewestPage(markStale(EMPTY_CONVERSATION), [], 0, 1);
const after = (...frames: readonly Frame[]): Conversation => frames.reduce(reduceFrame, FETCHED);
const refetched = (now: Conversation, page: readonly Message[], total = page.length) => {
  const asked = markStale(now);
  return applyNewestPage(asked, page, total, asked.requestNumber);
};
const shown = ({ messages, partialReply }: Conversation) => [
  ...messages.map(({ content }) => content),
  ...(partialReply ? [partialReply.text] : []),
];

describe("a streamed reply", () => {
  test("is assembled from its pieces and replaced by the stored message", () => {
    const words = after(stored(message("m1", 10, { role: "user" })), start(), chunk(0, "Hel"), chunk(1, "lo"));
    expect(shown(words)).toEqual(["m1", "Hello"]);
    expect(shown(reduceFrame(words, stored(message("m2", 20, { content: "Hello!" }))))).toEqual(["m1", "Hello!"]);
  });

  test("continues at its current text for those who join late", () => {
    expect(shown(after(start("Hel"), chunk(7, "lo "), chunk(8, "you")))).toEqual(["Hello you"]);
  });

  test("shows a repeated piece once", () => {
    expect(shown(after(start(), chunk(0, "a"), chunk(0, "a"), chunk(1, "b")))).toEqual(["ab"]);
  });

  test("shows nothing wrong when a piece is missing, and is complete after joining again", () => {
    const gap = after(start(), chunk(0, "a"), chunk(2, "c"));
    expect(gap.hasStreamGap).toBe(true);
    expect(shown(gap)).toEqual(["a"]);
    const mended = [joined({ trace_id: "gw_1" }), start("abc"), chunk(3, "d")].reduce(reduceFrame, gap);
    expect(mended.hasStreamGap).toBe(false);
    expect(shown(mended)).toEqual(["abcd"]);
  });

  test("is not shown beside the stored message, whichever arrives first", () => {
    const words = after(start(), chunk(0, "Hello"));
    expect(shown(refetched(words, [message("m2", 20, { content: "Hello" })]))).toEqual(["Hello"]);
    expect(shown(reduceFrame(refetched(FETCHED, [message("m2", 20)]), start("Hello")))).toEqual(["m2"]);
  });

  test("disappears when the turn fails, and the reason is shown", () => {
    const failed = after(start(), chunk(0, "Hel"), {
      type: "turn_error",
      trace_id: "gw_1",
      error: "no",
      code: "timed_out",
    });
    expect(shown(failed)).toEqual([]);
    expect(failed).toMatchObject({ runningTraceId: undefined, failure: { error: "no", code: "timed_out" } });
  });

  test("that was stopped before its first word, or blocked, leaves nothing", () => {
    expect(after(start(), end("stopped"))).toMatchObject({ partialReply: undefined, runningTraceId: undefined });
    expect(after(start(), chunk(0, "x"), end("filtered"))).toMatchObject({
      partialReply: undefined,
      runningTraceId: undefined,
    });
  });

  test("stays visible after a successful end until it is stored", () => {
    expect(shown(after(start(), chunk(0, "Hello"), end("stop")))).toEqual(["Hello"]);
  });
});

describe("a turn", () => {
  test("is running from its acknowledgement to its answer", () => {
    const asked = applyAck(addPending(FETCHED, "t-1", "hi"), "t-1", { type: "ack", ok: true, trace_id: "gw_1" });
    expect(asked.runningTraceId).toBe("gw_1");
    const answered = reduceFrame(asked, stored(message("m2", 20, { trace_id: "gw_1" })));
    expect(answered.runningTraceId).toBeUndefined();
  });

  test("that failed before the page was opened is not shown as running, however that is learned", () => {
    const error = { code: "unavailable", error: "no" } as const;
    const question = message("m1", 10, { role: "user", trace_id: "gw_1", temp_id: "t-1", error });
    // The service names a turn until all of it has been cleared away, and says before that it has failed.
    const late = reduceFrame(FETCHED, joined({ trace_id: "gw_1" }));
    expect(late.runningTraceId).toBe("gw_1");
    expect(refetched(late, [question]).runningTraceId).toBeUndefined();
    expect(reduceFrame(refetched(FETCHED, [question]), joined({ trace_id: "gw_1" })).runningTraceId).toBeUndefined();
    // Its first news of the question that it still holds to be unsent is the failure.
    const failed: Frame = { type: "turn_error", trace_id: "gw_1", error: "no", code: "unavailable" };
    const updated: Frame = { type: "message_updated", message: question };
    const state = [failed, updated].reduce(reduceFrame, addPending(FETCHED, "t-1", "hi"));
    expect(state).toMatchObject({ runningTraceId: undefined, pending: [] });
    expect(reduceFrame(state, { type: "progress_message", trace_id: "gw_2", text: "again" }).runningTraceId).toBe(
      "gw_2",
    );
  });

  test("that was answered while the page was closed is not shown as running", () => {
    const known = refetched(FETCHED, [message("m2", 20, { trace_id: "gw_1" })]);
    expect(reduceFrame(known, joined({ trace_id: "gw_1" })).runningTraceId).toBeUndefined();
  });

  test("that is stopped before its message was stored can be sent again, and later messages continue", () => {
    const tell = (now: Conversation, tempId: string, trace_id: string) =>
      applyAck(addPending(now, tempId, tempId), tempId, { type: "ack", ok: true, trace_id });
    const ended = markStopped(tell(tell(FETCHED, "t-1", "gw_1"), "t-2", "gw_2"), ["gw_1"]);
    expect(ended).toMatchObject({ pending: [{ state: "stopped" }, { state: "sent" }], runningTraceId: undefined });
    const next = reduceFrame(ended, stored(message("m2", 20, { role: "user", temp_id: "t-2", trace_id: "gw_2" })));
    expect(next).toMatchObject({ pending: [{ tempId: "t-1" }], runningTraceId: "gw_2" });
  });
});

describe("a sent message", () => {
  test("is shown at once, and still once after it is stored", () => {
    const asked = addPending(FETCHED, "t-1", "hi");
    expect(asked.pending).toMatchObject([{ content: "hi", state: "waiting" }]);
    const done = reduceFrame(asked, stored(message("m1", 10, { role: "user", temp_id: "t-1" })));
    expect(done.pending).toEqual([]);
    expect(shown(done)).toEqual(["m1"]);
  });

  test("that is stored before its acknowledgement does not reappear", () => {
    const known = reduceFrame(
      addPending(FETCHED, "t-1", "hi"),
      stored(message("m1", 10, { role: "user", temp_id: "t-1" })),
    );
    expect(applyAck(known, "t-1", { type: "ack", ok: true, trace_id: "gw_1" })).toMatchObject({ pending: [] });
  });

  test("that is rejected stays with the reason", () => {
    const refused = applyAck(addPending(FETCHED, "t-1", "hi"), "t-1", { type: "ack", ok: false, error: "archived" });
    expect(refused.pending).toMatchObject([{ content: "hi", state: "rejected", rejection: { error: "archived" } }]);
  });

  test("that the filter blocks becomes a notice", () => {
    const blocked = reduceFrame(addPending(FETCHED, "t-1", "hi"), {
      type: "message_filtered",
      temp_id: "t-1",
      message: "blocked",
    });
    expect(blocked).toMatchObject({ pending: [], notice: "blocked" });
  });
});

describe("messages", () => {
  test("keep their order in whatever order they arrive, and appear once", () => {
    const all = after(stored(message("b", 20)), stored(message("a", 10)), stored(message("b", 20, { revision: 2 })));
    expect(shown(all)).toEqual(["a", "b"]);
  });

  test("are not replaced by an older version that arrives late", () => {
    const all = after(stored(message("a", 10, { content: "new", revision: 3 })), stored(message("a", 10)));
    expect(shown(all)).toEqual(["new"]);
  });

  test("that were deleted disappear, also when a page that was requested before still contains them", () => {
    const asked = markStale(after(stored(message("a", 10)), stored(message("b", 20))));
    const removed = reduceFrame(asked, { type: "messages_removed", message_ids: ["a"] });
    const page = [message("a", 10), message("b", 20)];
    expect(shown(applyNewestPage(removed, page, 2, removed.requestNumber))).toEqual(["b"]);
  });

  test("that arrive while a page is loading are added to it", () => {
    const asked = reduceFrame(markStale(after(stored(message("a", 10)))), stored(message("b", 20)));
    expect(shown(applyNewestPage(asked, [message("a", 10)], 1, asked.requestNumber))).toEqual(["a", "b"]);
  });

  test("that were deleted while the page was closed are gone after fetching", () => {
    const before = after(stored(message("a", 10)), stored(message("z", 90)));
    expect(shown(refetched(before, [message("a", 10), message("b", 20)]))).toEqual(["a", "b"]);
  });

  test("older than the page stay, unless there may be a gap between", () => {
    const before = applyOlderPage(refetched(FETCHED, [message("c", 30)], 3), [message("b", 20)], true);
    expect(shown(refetched(before, [message("c", 30), message("d", 40)], 4))).toEqual(["b", "c", "d"]);
    const far = refetched(before, [message("y", 80), message("z", 90)], 50);
    expect(shown(far)).toEqual(["y", "z"]);
    expect(far.hasOlder).toBe(true);
  });

  test("of an outdated request are ignored", () => {
    const asked = markStale(markStale(FETCHED));
    expect(applyNewestPage(asked, [message("a", 10)], 1, asked.requestNumber - 1)).toBe(asked);
  });
});

describe("the todo list", () => {
  const item = (text: string) => ({ id: 1, text, done: false });
  const card = (text: string): Frame => ({
    type: "todo_card",
    id: "card_1",
    parent_message_id: "m2",
    todos: [item(text)],
    is_complete: true,
  });
  const texts = ({ cards }: Conversation) =>
    cards.flatMap((one) => (one.type === "todo_card" ? one.items.map(({ text }) => text) : []));

  test("is shown again after a page reload", () => {
    expect(texts(applyTodos(FETCHED, [item("tea")], undefined))).toEqual(["tea"]);
    expect(applyTodos(FETCHED, [], undefined).cards).toEqual([]);
  });

  test("is replaced by the stored one when changes were missed", () => {
    const missed = after(card("old"));
    const next = applyTodos(missed, [item("new")], missed.cards[0]);
    expect([texts(next), next.cards[0]?.parentId]).toEqual([["new"], "m2"]);
  });

  test("shows changes that arrive while the stored one is loading, and the item in progress", () => {
    expect(texts(applyTodos(after(card("newer")), [item("stored")], undefined))).toEqual(["newer"]);
    const working = after(start(), card("open"));
    expect(texts(applyTodos(working, [item("stored")], working.cards[0]))).toEqual(["open"]);
  });
});
