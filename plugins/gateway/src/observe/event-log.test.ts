import { silentLogger } from "@parley/core";
import { createTestClock, recordedEvents } from "@parley/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HistoryStore } from "../store/history/history.ts";
import { LOG_COLUMNS } from "../store/history/log-rows.ts";
import { createEventLog } from "./event-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const openLog = (write: HistoryStore["write"]) =>
  createEventLog({
    store: () => ({ write }),
    events: recordedEvents(),
    redaction: { mask: (value) => value, toMaskedJson: JSON.stringify, remember: () => {} },
    clock: createTestClock(),
    log: silentLogger,
    isHistoryEnabled: true,
  });
const row = { trace_id: "gw_1", record: "{}", note: null };

test("turn recordings that a failed write loses are counted like rows", async () => {
  const log = openLog(() => Promise.reject(new Error("no space left")));
  log.add({ traceId: "gw_1", status: "received", message: "hello" });
  log.record(row);
  log.record(row);
  await log.flush();
  expect(log.getDroppedCount()).toBe(3);
});

test("a row counts as written only once its write has succeeded", async () => {
  const disk = Promise.withResolvers<void>();
  const writes = [Promise.reject(new Error("no space left")), disk.promise];
  const log = openLog(() => writes.shift() ?? Promise.resolve());
  log.add({ traceId: "gw_1", status: "received", message: "hello" });
  await log.flush();
  log.add({ traceId: "gw_2", status: "received", message: "hello" });
  const flushed = log.flush();
  expect(log.getWrittenCount()).toBe(0);
  disk.resolve();
  await flushed;
  expect(log.getWrittenCount()).toBe(1);
});

test("turn recordings that arrive faster than they are written are counted, too", async () => {
  const disk = Promise.withResolvers<void>();
  const log = openLog(() => disk.promise);
  for (let count = 0; count < 5_010; count += 1) log.record(row);
  expect(log.getDroppedCount()).toBe(10);
  disk.resolve();
  await log.flush();
  expect(log.getDroppedCount()).toBe(10);
});

test("a reader of the event log waits for the write that is in progress", async () => {
  const begun: string[] = [];
  const disk = Promise.withResolvers<void>();
  const write: HistoryStore["write"] = (rows = "") => {
    begun.push(rows);
    return disk.promise;
  };
  const log = openLog(write);
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

test("only texts and metadata are masked, and metadata without JSON costs no other entry", async () => {
  const written: string[] = [];
  const secret = "20260106";
  const hide = (text: string) => text.replaceAll(secret, "***");
  const log = createEventLog({
    store: () => ({ write: async (rows = "") => void written.push(rows) }),
    events: recordedEvents(),
    redaction: {
      mask: <T>(value: T) => (typeof value === "string" ? hide(value) : JSON.parse(hide(JSON.stringify(value)))) as T,
      toMaskedJson: (value) => hide(JSON.stringify(value)),
      remember: () => {},
    },
    clock: createTestClock(),
    log: silentLogger,
    isHistoryEnabled: true,
  });
  const entry = { traceId: `gw_${secret}_1`, status: "received", userId: secret, message: `it is ${secret}` };
  log.add({ ...entry, metadata: { text: secret } });
  log.add({ ...entry, metadata: { count: 1n } });
  await log.flush();
  expect(log.getDroppedCount()).toBe(0);
  const rows = (JSON.parse(written[0] ?? "") as unknown[][]).map((row) =>
    Object.fromEntries(LOG_COLUMNS.map((column, at) => [column, row[at]])),
  );
  const known = { trace_id: entry.traceId, user_id: secret, message: "it is ***" };
  expect(rows).toMatchObject([
    { ...known, metadata: '{"text":"***"}' },
    { ...known, metadata: expect.stringContaining("no JSON") },
  ]);
});
