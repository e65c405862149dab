import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Database, Probes, type RawReply } from "@parley/core";
import type { List } from "@parley/core/http";
import { createTestClock, memoryDatabase } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { createLogStore, LOG_MIGRATIONS, type StoredLog } from "./logs/log-store.ts";
import { startOperations } from "./test-setup.ts";

const messages = ({ items }: List<StoredLog>) => items.map(({ message }) => message);

describe("system logs", () => {
  test("every line the process writes is a row, newest first", async () => {
    await using running = await startOperations();
    running.say({ message: "first", traceId: "gw_1", context: { a: 1 } });
    running.clock.advance(1);
    running.say({ message: "second", level: "error" });
    const list = await running.call<List<StoredLog>>("GET /api/logs");
    expect(messages(list)).toEqual(["second", "first"]);
    expect(list.items[0]).toMatchObject({ level: "error", important: true, trace_id: null });
    expect(list.items[1]).toMatchObject({ important: false, trace_id: "gw_1", context: { a: 1 }, source: "host" });
  });

  test.each([
    ["level=warning", ["b"]],
    ["min_level=warning", ["c", "b"]],
    ["source=chat", ["c"]],
    ["trace_id=gw_9", ["b"]],
    ["q=A%25", ["a%"]],
    ["q=upstream_failed", ["b"]],
    ["q=nowhere&says=b%0AC", ["c", "b"]],
    ["says=b", ["b"]],
    ["since=2026-01-06T10:15:00.002Z", ["c"]],
    ["until=2026-01-06T10:15:00.001Z", ["a%"]],
    ["limit=1&offset=1", ["b"]],
  ])("%s finds the matching lines", async (query, expected) => {
    await using running = await startOperations();
    running.say({ message: "a%", level: "info" });
    running.clock.advance(1);
    running.say({ message: "b", level: "warning", traceId: "gw_9", context: { code: "upstream_failed" } });
    running.clock.advance(1);
    running.say({ message: "c", level: "error", source: "chat" });
    expect(messages(await running.call(`GET /api/logs?${query}`))).toEqual(expected);
  });

  test("all results of a filter can be downloaded, one object a line, however many there are", async () => {
    await using running = await startOperations();
    for (let n = 0; n < 2_500; n += 1) running.say({ message: `line ${n}`, level: n % 2 === 0 ? "info" : "error" });
    const { body, type } = await running.call<RawReply>("GET /api/logs/download?level=error");
    expect(type).toBe("application/x-ndjson");
    const rows = (await text(body as Readable))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(rows.map(({ message }) => message)).size).toBe(1_250);
    expect(rows.every(({ level }) => level === "error")).toBe(true);
    const { body: none } = await running.call<RawReply>("GET /api/logs/download?q=nowhere");
    expect(await text(none as Readable)).toBe("");
  });

  test("a level nobody knows is rejected", async () => {
    await using running = await startOperations();
    await expect(running.call("GET /api/logs?level=loud")).rejects.toMatchObject({ code: "bad_request" });
  });

  test("a line written through the API is masked like every other", async () => {
    await using running = await startOperations();
    const row = await running.call("POST /api/logs", {
      body: { message: "used hunter2", context: { key: "hunter2" } },
    });
    const source = `${"x".repeat(92)} hunter2`;
    const other = await running.call("POST /api/logs", { body: { message: "m", source, context: { hunter2: 1 } } });
    expect(JSON.stringify(other)).not.toContain("hunt");
    expect(row).toMatchObject({ message: "used ***", context: { key: "***" }, level: "info", source: "api" });
    expect(messages(await running.call("GET /api/logs"))).toEqual(["m", "used ***"]);
    expect(running.filed[0]).toMatchObject({ message: "used ***", source: "api" });
    expect(JSON.stringify(running.filed)).not.toContain("hunt");
  });

  test("a line written through the API is one line, and shows its author, whatever it claims", async () => {
    await using running = await startOperations();
    const row = await running.call("POST /api/logs", {
      body: { message: "all is well\n[12:00] accounts: admin signed in\u001b[2J", source: "accounts\r\nhost" },
    });
    expect(row).toMatchObject({
      message: "all is well [12:00] accounts: admin signed in [2J",
      source: "api:accounts host",
      context: { written_by: expect.stringMatching(/./) },
    });
  });

  test("a line without a message is rejected", async () => {
    await using running = await startOperations();
    await expect(running.call("POST /api/logs", { body: {} })).rejects.toMatchObject({ code: "bad_request" });
  });

  test("clearing leaves one row with the name of the person", async () => {
    await using running = await startOperations();
    running.say({ message: "old" });
    running.clock.advance(1000);
    const before = new Date(running.clock.now()).toISOString();
    running.say({ message: "new" });
    running.clock.advance(1);
    expect(await running.call("DELETE /api/logs", { body: { before } })).toEqual({ deleted: 1 });
    const left = messages(await running.call("GET /api/logs"));
    expect(left).toEqual(["the log was cleared", "new"]);
  });

  test("only old day files with the service's own name pattern are removed, and never today's", async () => {
    await using running = await startOperations();
    const folder = join(running.data, "logs");
    await mkdir(folder);
    const names = ["parley-2026-01-06.log", "parley-2026-01-05.log", "parley-2025-12-01.log", "notes.log"];
    for (const name of names) await writeFile(join(folder, name), "12345");
    const dry = await running.call("POST /api/logs/cleanup", { body: { dry_run: true } });
    expect(dry).toEqual({ removed_files: 1, freed_bytes: 5, files: ["parley-2025-12-01.log"] });
    expect(await readdir(folder)).toHaveLength(4);
    await running.call("POST /api/logs/cleanup", { body: { older_than_days: 0 } });
    expect(await readdir(folder)).toEqual(["notes.log", "parley-2026-01-06.log"]);
  });

  test("waiting lines are stored before the plugin has stopped", async () => {
    const running = await startOperations();
    running.say({ message: "last words" });
    await running[Symbol.asyncDispose]();
    const rows = await running.databases.main
      .tables<{ logs: { message: string } }>()
      .selectFrom("logs")
      .selectAll()
      .execute();
    expect(rows.map(({ message }) => message)).toEqual(["last words"]);
  });

  test("a flood of lines while the disk is slow is counted, not buffered", async () => {
    const { promise: disk, resolve: wakeUp } = Promise.withResolvers<void>();
    const real = memoryDatabase();
    await real.migrate("operations", LOG_MIGRATIONS);
    const slow: Database = { ...real, write: async (writes) => disk.then(() => real.write(writes)) };
    const redaction = { mask: <T>(value: T) => value, toMaskedJson: JSON.stringify, remember() {} };
    const feed = () => ({ toFile() {} });
    const logs = createLogStore({ database: () => slow, folder: "", clock: createTestClock(), redaction, feed });
    const row = { time: "2026-01-06T10:15:00.000Z", level: "info", source: "x", message: "m", context: {} } as const;
    logs.add(row);
    const stored = logs.flush();
    await Promise.resolve();
    for (let count = 0; count < 6_000; count += 1) logs.add(row);
    wakeUp();
    await stored;
    await logs.flush();
    expect(logs.getDroppedCount()).toBe(1_000);
    expect((await logs.list({ level: "all", limit: 1, offset: 0 })).total).toBe(5_001);
  });

  test("lines that cannot be stored are counted and reported", async () => {
    await using running = await startOperations();
    running.databases.main.write = async () => {
      throw new Error("disk full");
    };
    running.say({ message: "lost" });
    await running.call("GET /api/logs");
    const probe = running.all(Probes).find(({ id }) => id === "logs");
    expect((await probe?.measure?.())?.[0]?.samples).toEqual([{ value: 1 }]);
  });
});
