import { silentLogger } from "@parley/core";
import { createTestClock, recordedEvents } from "@parley/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HistoryStore } from "../store/history/history.ts";
import { createEventLog } from "./event-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("who asks for what is written waits for what is being written now", async () => {
  const begun: string[] = [];
  const disk = Promise.withResolvers<void>();
  const write: HistoryStore["write"] = (rows) => {
    begun.push(...rows.map(({ trace_id }) => trace_id));
    return disk.promise;
  };
  const log = createEventLog({
    store: () => ({ write }),
    events: recordedEvents(),
    redaction: { mask: (value) => value, remember: () => {} },
    clock: createTestClock(),
    log: silentLogger,
    isHistoryEnabled: true,
  });
  log.add({ traceId: "gw_1", status: "received", message: "hello" });
  await vi.runAllTimersAsync();
  expect(begun).toHaveLength(1);
  let isSettled = false;
  const settled = log.flush().then(() => {
    isSettled = true;
  });
  await vi.runAllTimersAsync();
  expect(isSettled).toBe(false);
  disk.resolve();
  await settled;
  expect(begun).toHaveLength(1);
});
