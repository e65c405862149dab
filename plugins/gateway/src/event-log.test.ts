import { type Database, silentLogger, type Write, type WriteResult } from "@parley/core";
import { createTestClock, recordedEvents } from "@parley/core/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEventLog } from "./event-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("who asks for what is written waits for what is being written now", async () => {
  const begun: Write[] = [];
  const disk = Promise.withResolvers<readonly WriteResult[]>();
  const write: Database["write"] = (writes) => {
    begun.push(...writes);
    return disk.promise;
  };
  const log = createEventLog({
    database: () => ({ write }) as unknown as Database,
    events: recordedEvents(),
    redaction: { mask: (value) => value, remember: () => {} },
    clock: createTestClock(),
    log: silentLogger,
    isKept: true,
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
  disk.resolve([]);
  await settled;
  expect(begun).toHaveLength(1);
});
