import { ANONYMOUS, type AppError, type RawReply, RouteTables, toLocalized, type UsageRow } from "@parley/core";
import type { List } from "@parley/core/http";
import { describe, expect, test } from "vitest";
import { startOperations } from "./test-setup.ts";

const used = (time: string, more: Partial<UsageRow> = {}): UsageRow => ({
  id: `use_${time}`,
  time,
  model_id: "model_1",
  model: "small",
  purpose: "chat",
  session_id: "sess_1",
  user: "ann",
  trace_id: null,
  input_tokens: 10,
  output_tokens: 5,
  total_tokens: 15,
  cache_read_tokens: 4,
  cache_write_tokens: 0,
  cost: 0.5,
  duration_ms: 100,
  ok: true,
  ...more,
});
// The test clock is at 2026-01-06T10:15Z.
const usage = [
  used("2025-12-31T12:00:00.000Z"),
  used("2026-01-05T23:30:00.000Z", { model_id: "model_2", cost: null }),
  used("2026-01-06T09:00:00.000Z", { user: "=1+1" }),
];
const counts = [
  { hour: "2026-01-05T23", channel_id: "web", role: "user", count: 3 },
  { hour: "2026-01-06T10", channel_id: "imB", role: "assistant", count: 2 },
] as const;

describe("token usage", () => {
  test("every day of the range appears, also those without a call", async () => {
    await using running = await startOperations({ usage, counts });
    const report = await running.call<{ history: { date: string; requests: number }[] }>(
      "GET /api/tokens?date_range=7d",
    );
    expect(report.history.map(({ date, requests }) => [date.slice(5), requests])).toEqual([
      ["12-31", 1],
      ["01-01", 0],
      ["01-02", 0],
      ["01-03", 0],
      ["01-04", 0],
      ["01-05", 1],
      ["01-06", 1],
    ]);
    expect(report).toMatchObject({
      today: { total_tokens: 15 },
      month: { total_tokens: 30 },
      total: { total_tokens: 45, requests: 3, cost: 1 },
      message_count: 5,
      avg_tokens_per_message: 9,
      active_sessions: 2,
      avg_response_time_ms: 100,
    });
  });

  test("a day begins at local midnight", async () => {
    await using running = await startOperations({ usage });
    running.file.edit({ timezone: "Asia/Shanghai" });
    expect(await running.call("GET /api/tokens?date_range=today")).toMatchObject({
      range: { start_date: "2026-01-06", timezone: "Asia/Shanghai" },
      total: { requests: 2 },
    });
  });

  test.each([
    ["start_date=2026-01-06&end_date=2026-01-05", "早于开始日期，或不是有效的日期"],
    ["start_date=2024-01-01&end_date=2026-01-05", /^end_date：最晚为开始日期后 \d+ 天$/],
    ["start_date=yesterday", /^请求有误：/],
    ["start_date=2026-13-45", "早于开始日期，或不是有效的日期"],
    ["date_range=today&start_date=2026-01-05", "不能与起止日期同时填写"],
  ])("%s is rejected, in the reader's language", async (query, chinese) => {
    await using running = await startOperations();
    const error = await running.call(`GET /api/tokens?${query}`).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "bad_request" });
    expect(toLocalized(error as AppError).zh).toMatch(chinese);
  });

  test("rankings are sorted by the requested measure", async () => {
    await using running = await startOperations({ usage });
    expect(await running.call("GET /api/tokens/rankings?metric=requests&limit=1")).toMatchObject({
      models: [{ id: "model_1", value: 2 }],
      users: [{ id: "ann", value: 2 }],
    });
  });

  test("the CSV table has a header, a byte order mark and no formulas", async () => {
    await using running = await startOperations({ usage });
    const { body, type } = await running.call<RawReply>("GET /api/tokens/export?date_range=today");
    const text = (await Array.fromAsync(body as AsyncIterable<string>)).join("");
    expect(type).toContain("text/csv");
    expect(text.split("\r\n")).toEqual([
      "\uFEFFtime,model_id,model,purpose,session_id,user,input_tokens,output_tokens,total_tokens,cache_read_tokens,cache_write_tokens,cost,duration_ms,ok",
      "2026-01-06T09:00:00.000Z,model_1,small,chat,sess_1,'=1+1,10,5,15,4,0,0.5,100,true",
      "",
    ]);
  });

  test("the same as JSON is enveloped", async () => {
    await using running = await startOperations({ usage });
    const { body } = await running.call<RawReply>("GET /api/tokens/export?format=json&date_range=all");
    const text = (await Array.fromAsync(body as AsyncIterable<string>)).join("");
    expect(JSON.parse(text)).toMatchObject({ success: true, data: { total: 3, records: [{}, {}, {}] } });
  });
});

describe("statistics", () => {
  test("messages are counted, the rest is collected from the plugins", async () => {
    const probes = [{ id: "models", stats: async () => ({ ai_service_status: "normal", ai_calls: 7 }) }];
    await using running = await startOperations({ counts, probes });
    expect(await running.call("GET /api/stats")).toMatchObject({
      today_messages: 2,
      total_messages: 5,
      active_sessions: 2,
      ai_service_status: "normal",
      ai_calls: 7,
      platform_count: 1,
      imA_connected: false,
    });
  });

  test.each([
    ["day", 24, "10:00"],
    ["week", 7, "01/06"],
    ["month", 30, "01/06"],
  ])("a %s has %d buckets, the current one last", async (period, size, last) => {
    await using running = await startOperations({ counts });
    const { labels, values } = await running.call<{ labels: string[]; values: number[] }>(
      `GET /api/stats/messages?period=${period}`,
    );
    expect([labels.length, labels.at(-1), values.at(-1)]).toEqual([size, last, 2]);
    expect(values.reduce((sum, value) => sum + value, 0)).toBe(5);
  });

  test("channels without messages are listed with 0", async () => {
    await using running = await startOperations({ counts: [counts[1]] });
    const { items } = await running.call<List<object>>("GET /api/stats/platforms");
    expect(items).toEqual([
      { name: "imB", channel_id: "imB", value: 2 },
      { name: "web", channel_id: "web", value: 0 },
    ]);
  });

  test("an unknown period is rejected", async () => {
    await using running = await startOperations();
    await expect(running.call("GET /api/stats/messages?period=year")).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("the system", () => {
  test("anonymous callers learn only whether it is up, and no probe runs for them", async () => {
    const health = () => {
      throw new Error("was asked");
    };
    await using running = await startOperations({ probes: [{ id: "imA", health }] });
    expect(await running.call("GET /api/startup-status", { caller: ANONYMOUS })).toEqual({
      ready: true,
      phase: "ready",
    });
  });

  test("probes run once a second, however many callers there are", async () => {
    let asked = 0;
    const health = async () => {
      asked += 1;
      return { status: "ok", detail: "" } as const;
    };
    await using running = await startOperations({ probes: [{ id: "imA", health }] });
    const look = () => running.call("GET /api/startup-status");
    await Promise.all([look(), look(), look()]);
    expect(asked).toBe(1);
    running.clock.advance(1_000);
    await look();
    expect(asked).toBe(2);
  });

  test("an operator sees failures, also when a probe fails itself", async () => {
    const health = async () => {
      throw new Error("no answer");
    };
    await using running = await startOperations({ failure: "it broke", probes: [{ id: "imA", health }] });
    expect(await running.call("GET /api/startup-status")).toMatchObject({
      phase: "degraded",
      error: "acme: it broke",
      version: "1.2.3",
      bot_connected: false,
      components: expect.arrayContaining([{ name: "imA", state: "down", error: "no answer" }]),
      packages: [{ name: "storage" }, { name: "acme", state: "failed" }],
    });
  });

  test("a reload reports its number of plugins, and rejects an unknown package", async () => {
    await using running = await startOperations();
    const done = await running.call("POST /api/system/reload-core", { body: { packages: ["acme"] } });
    expect(done).toMatchObject({ reloaded: ["acme"], reloaded_count: 1, failed_count: 0 });
    const unknown = running.call("POST /api/system/reload-core", { body: { packages: ["nobody"] } });
    await expect(unknown).rejects.toMatchObject({ code: "not_found" });
    expect(running.reloads).toEqual([["acme"]]);
  });

  test("reloading the configuration names what changed", async () => {
    await using running = await startOperations();
    expect(await running.call("POST /api/system/reload-config")).toMatchObject({ changed: ["log.level"] });
  });

  test("commands are listed by category and name, and filtered", async () => {
    const run = async () => "";
    const command = (name: string, category: string, adminOnly: boolean) => ({
      name,
      category,
      adminOnly,
      usage: name,
      help: `what ${name} does`,
      run,
    });
    const commands = [
      command("/stop", "chat", false),
      command("/block", "filter", true),
      command("/help", "chat", false),
    ];
    await using running = await startOperations({ commands });
    const names = async (query: string) =>
      (await running.call<List<{ name: string }>>(`GET /api/commands?${query}`)).items.map(({ name }) => name);
    expect(await names("")).toEqual(["/help", "/stop", "/block"]);
    expect(await names("admin_only=true")).toEqual(["/block"]);
    expect(await names("category=chat&limit=1")).toEqual(["/help"]);
    expect(await names("channel=nowhere")).toEqual([]);
  });

  test("changes of the whole service require an administrator", async () => {
    await using running = await startOperations();
    const admin = running
      .all(RouteTables)
      .flat()
      .filter(({ scope }) => scope === "admin");
    expect(admin.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      "DELETE /api/backups/{backup_id}",
      "DELETE /api/logs",
      "GET /api/backups",
      "GET /api/backups/{backup_id}/download",
      "GET /api/config-transfer/sections",
      "POST /api/backups/{backup_id}/check",
      "POST /api/config-transfer/export",
      "POST /api/config-transfer/import",
      "POST /api/logs/cleanup",
      "POST /api/system/reload-config",
      "POST /api/system/reload-core",
      "POST /api/system/restart",
      "PUT /api/settings",
    ]);
  });
});
