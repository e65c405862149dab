import fs, { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  DeliveryError,
  definePlugin,
  fillDetail,
  Gateway,
  HostControl,
  type ItemFailure,
  Jobs,
  Schedules,
} from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isInFiles } from "../harness/chosen-storage.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { startMcpHttpServer } from "../harness/mcp/mcp-http-server.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

interface Found {
  readonly items: readonly {
    readonly key: string;
    readonly level: string;
    readonly said: { readonly en: string; readonly zh: string };
    readonly parameters?: Readonly<Record<string, string | number>>;
    readonly page?: string;
  }[];
}

interface Reloaded {
  readonly failed: readonly ({ readonly name: string } & ItemFailure)[];
}

const fake = createFakeChannel();
let cracked = true;
/** A plugin with an invalid key until it is repaired. */
const cracks = definePlugin({
  id: "cracks",
  register() {},
  async start() {
    if (cracked) throw new Error("its key is wrong");
  },
});
let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({ plugins: [fake.plugin, cracks] });
  api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Shop", type: fake.id, transport: "bridge" });
});
afterAll(() => parley[Symbol.asyncDispose]());

const findFinding = async (key: string) => {
  const { items } = await api.get<Found>("/api/system/findings");
  return items.find((one) => one.key === key);
};
const expectFinding = (key: string, more: object) =>
  eventually(async () => expect(await findFinding(key)).toMatchObject(more));
const expectGone = (key: string) => eventually(async () => expect(await findFinding(key)).toBeUndefined());

describe("a finding reports", () => {
  test("a service without a model and without a backup, with a link to the solution", async () => {
    expect(await findFinding("models.none")).toMatchObject({
      level: "warning",
      page: "/models",
      said: { en: expect.stringContaining("no model"), zh: expect.stringContaining("尚未添加模型") },
    });
    const noBackup = await findFinding("host.no_backups");
    // A database server is backed up by other means.
    if (isInFiles) expect(noBackup).toMatchObject({ level: "warning", page: "/jobs" });
    else expect(noBackup).toBeUndefined();
    const mine = { name: "Mine", model: "m", base_url: "http://127.0.0.1:9/v1", api_key: "sk-none" };
    const { id } = await api.post<{ id: string }>("/api/ai-models", mine);
    expect(await findFinding("models.none")).toBeUndefined();
    await api.send("DELETE", `/api/ai-models/${id}`);
    if (!isInFiles) return;
    await parley.host.get(HostControl).backUp(join(parley.host.data, "backups"), 1);
    expect(await findFinding("host.no_backups")).toBeUndefined();
  });

  test("a plugin that did not start, until it does", async () => {
    expect(await findFinding("plugin")).toMatchObject({
      level: "problem",
      page: "/plugins",
      parameters: { plugin: "cracks", reason: expect.stringContaining("its key is wrong") },
      said: { zh: "插件 cracks 未运行：start 失败：its key is wrong" },
    });
    cracked = false;
    await api.post("/api/system/reload-core", {});
    await expectGone("plugin");
  });

  test("a stopped worker and dead letters, until they are handled", async () => {
    await api.post("/api/gateway/worker/stop", {});
    expect(await findFinding("gateway.stopped")).toMatchObject({ level: "problem", page: "/gateway" });
    await api.post("/api/gateway/worker/start", {});
    expect(await findFinding("gateway.stopped")).toBeUndefined();

    fake.failures.push(new DeliveryError("permanent", "the bot was blocked"));
    await fake.say("42", "hello");
    await parley.host.get(Gateway).idle();
    expect(await findFinding("gateway.given_up")).toMatchObject({ level: "warning", parameters: { count: 1 } });
    await api.post("/api/gateway/dead-letters/discard", { channel_id: fake.id, reason: "seen" });
    expect(await findFinding("gateway.given_up")).toBeUndefined();
  });

  test("an enabled but disconnected channel, with the reason in the reader's language", async () => {
    await api.post("/api/channels/presets/imB", {});
    expect(await findFinding("channels.down")).toMatchObject({
      level: "problem",
      page: "/channels",
      parameters: { channel: "imB", reason: expect.stringContaining("IMB_BOT_TOKEN") },
      said: {
        en: expect.stringContaining("IMB_BOT_TOKEN is not set"),
        zh: expect.stringContaining("环境变量 IMB_BOT_TOKEN 未设置"),
      },
    });
    await api.put("/api/channels/imB", { enabled: false });
    await expectGone("channels.down");
  });

  test("a failing model, with the reason in the reader's language, until it works", async () => {
    const nobody = { name: "Nobody", model: "m", base_url: "http://127.0.0.1:9/v1", api_key: "sk-no", retry_count: 0 };
    const { id } = await api.post<{ id: string }>("/api/ai-models", nobody);
    const session = await api.post<{ id: string }>("/api/sessions", {});
    await api.send("POST", `/api/sessions/${session.id}/chat`, { body: { content: "is anybody there?" } });
    await expectFinding("models.failing", {
      level: "problem",
      page: "/models",
      parameters: { model: "Nobody", category: "network" },
      said: { zh: expect.stringMatching(/^模型 Nobody 没有应答：连接失败（无法连接到/) },
    });
    await api.send("DELETE", `/api/ai-models/${id}`);
    await expectGone("models.failing");
  });

  test("a disconnected MCP server, with time and reason, until it is back", async () => {
    await using remote = await startMcpHttpServer();
    const entry = { name: "Weather", transport: "streamable-http", url: remote.address, auto_connect: true };
    const { id } = await api.post<{ id: string }>("/api/mcp-servers", entry);
    const isConnected = async () => {
      const { items } = await api.get<{ items: readonly { id: string; connected: boolean }[] }>("/api/mcp-servers");
      return items.find((one) => one.id === id)?.connected;
    };
    await eventually(async () => expect(await isConnected()).toBe(true));
    expect(await findFinding("mcp.down")).toBeUndefined();
    await remote.goAway();
    // The next call detects the lost connection.
    await api.send("POST", `/api/mcp-servers/${id}/call`, { body: { tool: "look" } });
    await expectFinding("mcp.down", {
      level: "warning",
      page: "/mcp",
      parameters: { server: "Weather", since: expect.stringMatching(/^20\d\d-/), reason: expect.stringMatching(/./) },
    });
    await remote.comeBack();
    await api.send("POST", `/api/mcp-servers/${id}/connect`, { body: {} });
    await expectGone("mcp.down");

    remote.rejectWith(401);
    await api.send("POST", `/api/mcp-servers/${id}/disconnect`, { body: {} });
    // A server that was disconnected on purpose is not reported.
    expect(await findFinding("mcp.down")).toBeUndefined();
    await api.send("POST", `/api/mcp-servers/${id}/connect`, { body: {} });
    await expectFinding("mcp.down", { parameters: { reason: expect.stringContaining("401") } });
    await api.put(`/api/mcp-servers/${id}`, { enabled: false });
    await expectGone("mcp.down");
  });

  test("failed jobs, until they are handled", async () => {
    const { jobId: id } = await parley.host.get(Jobs).add("operations.updates", {});
    await eventually(async () => expect((await api.get<{ status: string }>(`/api/jobs/${id}`)).status).toBe("dead"));
    await expectFinding("jobs.dead", { level: "warning", page: "/jobs", parameters: { count: 1 } });
    await api.post(`/api/jobs/${id}/cancel`, {});
    await expectGone("jobs.dead");
  });

  test("invalid filter rules, until the file is repaired", async () => {
    const file = join(parley.root, "resources", "config", "message_filter.json");
    await api.post("/api/message-filter/import", { keywords: ["tulip"] });
    const good = fs.readFileSync(file, "utf8");
    writeFileSync(file, "{ no rules");
    await expectFinding("files.broken", {
      level: "warning",
      page: "/filter",
      said: { zh: expect.stringContaining("不是有效的 JSON") },
    });
    writeFileSync(file, '{ "global": 7 }');
    const { problem_texts: problemTexts } = await api.get<{ problem_texts: object }>("/api/message-filter");
    expect(problemTexts).toEqual({ en: "'global' must be a list of rules", zh: "“global”必须是规则的列表" });
    writeFileSync(file, good);
    await expectGone("files.broken");
  });

  test("unreadable settings, until the file is repaired", async () => {
    const file = join(parley.host.data, "settings.json");
    await api.put("/api/settings", { timezone: "Asia/Shanghai" });
    const good = fs.readFileSync(file, "utf8");
    writeFileSync(file, "{ no settings");
    await expectFinding("files.broken", { level: "warning" });
    writeFileSync(file, good);
    await expectGone("files.broken");
  });

  test("a nearly full disk, until there is space", async () => {
    const real = fs.promises.statfs;
    const withFree = (mebibytes: number) => {
      const free = { bavail: mebibytes, bsize: 1024 * 1024 };
      fs.promises.statfs = (async () => free) as unknown as typeof real;
      syncBuiltinESMExports();
    };
    try {
      withFree(500);
      expect(await findFinding("host.disk")).toMatchObject({ level: "warning", parameters: { mebibytes: 500 } });
      withFree(50);
      expect(await findFinding("host.disk")).toMatchObject({ level: "problem", parameters: { mebibytes: 50 } });
      withFree(50_000);
      expect(await findFinding("host.disk")).toBeUndefined();
    } finally {
      fs.promises.statfs = real;
      syncBuiltinESMExports();
    }
  });
});

describe("a change that needs a restart", () => {
  test("may be a setting that is read at the start, until the plugins are reloaded", async () => {
    expect(await findFinding("settings.restart")).toBeUndefined();
    await api.put("/api/settings", { web: { public_base_url: "https://bot.example.org" } });
    expect(await findFinding("settings.restart")).toMatchObject({
      level: "warning",
      parameters: { settings: "web.public_base_url" },
    });
    await api.put("/api/settings", { web: { public_base_url: null } });
    expect(await findFinding("settings.restart")).toBeUndefined();
    await api.put("/api/settings", { web: { public_base_url: "https://bot.example.org" } });
    await api.post("/api/system/reload-core", {});
    await expectGone("settings.restart");
    await api.put("/api/settings", { web: { public_base_url: null } });
  });

  test("may be a line of config.ini, also one that would prevent a start", async () => {
    const file = join(parley.root, "config.ini");
    const before = fs.readFileSync(file, "utf8");
    expect(await findFinding("host.restart")).toBeUndefined();
    const changed = before.replace("level = error", "level = warn");
    writeFileSync(file, `${changed}\n[plugin.filter]\nregex_limit_ms = 77\n`);
    expect(await findFinding("host.restart")).toMatchObject({ parameters: { keys: "log.level, plugin.filter" } });
    // The reload applies the plugin settings; those of logging need a restart of the process.
    await api.post("/api/system/reload-core", {});
    await eventually(async () =>
      expect(await findFinding("host.restart")).toMatchObject({ parameters: { keys: "log.level" } }),
    );
    writeFileSync(file, `${before}\n[web]\nport = many\n`);
    expect(await findFinding("host.configuration")).toMatchObject({
      level: "warning",
      parameters: { reason: expect.stringContaining("port") },
      said: { zh: expect.stringContaining("config.ini 的 [web] port 有误：“many”应为端口，0 至 65535") },
    });
    const rejected = await api.send("POST", "/api/system/reload-config", { body: {} });
    expect(fillDetail(JSON.parse(rejected.headers.get("x-parley-error") ?? "{}"), "zh")).toMatch(
      /^config.ini 有误：.*应为端口/,
    );
    const { failed } = await api.post<Reloaded>("/api/system/reload-core", {});
    expect(failed.map(({ name, detail }) => [name, fillDetail(detail ?? {}, "zh")])).toEqual([
      ["host", expect.stringMatching(/应为端口/)],
    ]);
    writeFileSync(file, `${before}\n[web]\nprot = 5000\n[web]\n`);
    const { items } = await api.get<Found>("/api/system/findings");
    expect(items.filter(({ key }) => key === "host.unread").map(({ page, said }) => [page, said.zh])).toEqual([
      ["/plugins", expect.stringMatching(/^config.ini 第 \d+ 行：\[web\] 已在第 \d+ 行开始，两处合并为一节$/)],
      ["/plugins", "config.ini 的 [web] prot 不是已知的设置，是否指“port”？"],
    ]);
    writeFileSync(file, before);
    await api.post("/api/system/reload-core", {});
    await expectGone("host.restart");
    expect(await findFinding("host.configuration")).toBeUndefined();
    expect(await findFinding("host.unread")).toBeUndefined();
  });
});

describe("newer versions", () => {
  test("are searched only if the operator allows it, and then reported until they are installed", async () => {
    const asked: string[] = [];
    let latest = "99.1.0";
    const registry = createServer(({ url = "" }, response) => {
      asked.push(url);
      response.end(JSON.stringify({ name: "@parley/host", version: latest }));
    }).listen(0, "127.0.0.1");
    const address = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}/npm/`;
    const schedules = parley.host.get(Schedules);
    const look = async () => {
      const { job_id } = await api.post<{ job_id: string }>("/api/schedules/operations.updates/run", {});
      await eventually(async () => {
        const { status } = await api.get<{ status: string }>(`/api/jobs/${job_id}`);
        expect(["done", "dead"]).toContain(status);
      });
    };
    try {
      expect(await schedules.get("operations.updates")).toMatchObject({ enabled: false });
      await api.put("/api/settings", { updates: { registry: address() } });
      expect(await findFinding("updates.newer")).toBeUndefined();
      expect(asked).toEqual([]);
      await api.put("/api/settings", { updates: { check: true } });
      await eventually(async () => expect(await schedules.get("operations.updates")).toMatchObject({ enabled: true }));
      await look();
      expect(asked).toEqual(["/npm/@parley%2fhost/latest"]);
      expect(await findFinding("updates.newer")).toMatchObject({
        level: "warning",
        parameters: { package: "@parley/host", latest: "99.1.0", version: parley.host.control.version },
      });
      latest = parley.host.control.version;
      await look();
      expect(await findFinding("updates.newer")).toBeUndefined();
      latest = "99.1.0";
      await look();
      await api.put("/api/settings", { updates: { check: false } });
      expect(await findFinding("updates.newer")).toBeUndefined();
      await eventually(async () => expect(await schedules.get("operations.updates")).toMatchObject({ enabled: false }));
    } finally {
      registry.closeAllConnections();
      registry.close();
    }
  });
});
