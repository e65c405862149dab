import { describe, expect, test } from "vitest";
import { isProblem, MAX_ROWS, mergeEvents, sortNewestFirst, toGatewayEvent } from "./event-rows.ts";

const frame = {
  type: "gateway_event",
  source: "gateway",
  id: "log_1",
  trace_id: "gw_1",
  status: "delivery_failed",
  level: "error",
  message: "the platform refused it",
  channel_id: "imB",
  conversation_id: "",
  error_message: "chat not found",
  metadata: { attempt: 2 },
  created_at: "2026-05-25T15:30:00.000Z",
};
const event = (id: string) => ({ ...toGatewayEvent(frame), id }) as NonNullable<ReturnType<typeof toGatewayEvent>>;

describe("live rows of the gateway", () => {
  test("are read from frames that contain one", () => {
    expect(toGatewayEvent(frame)).toEqual({
      id: "log_1",
      trace_id: "gw_1",
      status: "delivery_failed",
      level: "error",
      channel_id: "imB",
      conversation_id: null,
      error: "chat not found",
      metadata: { message: "the platform refused it", attempt: 2 },
      created_at: "2026-05-25T15:30:00.000Z",
    });
  });

  test("are not read from other frames", () => {
    expect(toGatewayEvent({ type: "ai_response", session_id: "s" })).toBeUndefined();
    expect(toGatewayEvent({ type: "log_row", source: "host", id: "log_2" })).toBeUndefined();
  });

  test.each([
    ["error", "dispatch_failed", true],
    ["warning", "model_failover", true],
    ["info", "no_sender", true],
    ["info", "delivered", false],
  ] as const)("are marked as problems: %s %s %s", (level, status, is) => {
    expect(isProblem({ level, status })).toBe(is);
  });

  test("from several lists are merged, newest first", () => {
    const at = (id: string, created_at: string) => ({ ...event(id), created_at });
    const lists = [
      [at("c", "2026-05-25T15:30:03Z"), at("a", "2026-05-25T15:30:01Z")],
      [at("b", "2026-05-25T15:30:02Z")],
    ];
    expect(sortNewestFirst(lists).map(({ id }) => id)).toEqual(["c", "b", "a"]);
  });

  test("come before stored rows, each once, up to a limit", () => {
    expect(mergeEvents([event("c"), event("b")], [event("b"), event("a")]).map(({ id }) => id)).toEqual([
      "c",
      "b",
      "a",
    ]);
    const many = Array.from({ length: 300 }, (_, index) => event(`e${index}`));
    expect(mergeEvents(many, [])).toHaveLength(MAX_ROWS);
  });
});
