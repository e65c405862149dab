import { describe, expect, test } from "vitest";
import { isProblem, MAX_ROWS, mergeEvents, toGatewayEvent } from "./event-rows.ts";

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
const at = (id: string, time: string) => ({ ...event(id), created_at: `2026-05-25T${time}Z` });

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

  test("are merged with stored rows, each once, newest first, up to a limit", () => {
    const live = [at("d", "15:30:04"), at("b", "15:30:02")];
    const stored = [at("c", "15:30:03"), at("b", "15:30:02"), at("a", "15:30:01")];
    expect(mergeEvents(live, stored, () => true).map(({ id }) => id)).toEqual(["d", "c", "b", "a"]);
    const many = Array.from({ length: 300 }, (_, index) => event(`e${index}`));
    expect(mergeEvents(many, [], () => true)).toHaveLength(MAX_ROWS);
  });

  test("that do not match the filter do not push out stored ones that do", () => {
    const live = Array.from({ length: MAX_ROWS }, (_, index) => ({ ...event(`e${index}`), level: "info" as const }));
    expect(mergeEvents(live, [event("stored")], isProblem).map(({ id }) => id)).toEqual(["stored"]);
  });
});
