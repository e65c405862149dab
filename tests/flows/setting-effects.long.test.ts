import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Joi from "@hapi/joi";
import {
  type ChannelAdapter,
  ChannelAdapters,
  type ChannelIo,
  ChatCommands,
  definePlugin,
  Gateway,
  type Logger,
  type Message,
  Redaction,
  Schedules,
  SettingDefinitions,
  Settings,
  setting,
  type ToolContext,
  ToolTables,
} from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { isInFiles } from "../harness/chosen-storage.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { checkReachability, PROXY_SETTINGS } from "../harness/http/proxy-settings.ts";
import {
  TOOL_SERVER,
  toCommandLinesConfig,
  toStdioEntry,
  toToolServerCommands,
} from "../harness/mcp/mcp-command-lines.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type PushServer, startPushServer } from "../harness/servers/push-server.ts";
import { startVoiceServer, type VoiceServer } from "../harness/servers/voice-server.ts";
import {
  createFilterChecks,
  createPushChecks,
  createVoiceChecks,
  type EffectChecks,
  type EffectFixture,
} from "./setting-effect-checks.ts";

interface View {
  readonly parrot?: unknown;
  readonly _meta: {
    readonly sources: Readonly<Record<string, string>>;
    readonly definitions: readonly {
      readonly key: string;
      readonly title: { readonly en: string; readonly zh: string };
      readonly schema: Readonly<Record<string, unknown>>;
      readonly default: unknown;
    }[];
  };
}

const WORD = setting({
  key: "parrot.word",
  schema: Joi.string().max(20).default("hello"),
  group: "general",
  title: { en: "What the parrot says", zh: "鹦鹉说的话" },
});
const notices: string[] = [];
let dialled: ChannelIo | undefined;
const loggers: Logger[] = [];

/** A third-party plugin: a command that answers with a setting, a channel with an outgoing connection, a task kind. */
const parrot = definePlugin({
  id: "parrot",
  register({ contribute, log }) {
    loggers.push(log);
    contribute(SettingDefinitions, () => WORD);
    contribute(ChatCommands, (from) => ({
      name: "/parrot",
      usage: "/parrot",
      help: "says its word",
      category: "parrot",
      adminOnly: false,
      run: async () => from.get(Settings).get(WORD),
    }));
    contribute(
      ChannelAdapters,
      (): ChannelAdapter => ({
        type: "dialler",
        transports: ["bridge"],
        capabilities: {},
        settings: Joi.object({}),
        idempotency: "none",
        async open(_channel, io) {
          dialled = io;
          return { send: async () => ({ quality: "accepted" }), async [Symbol.asyncDispose]() {} };
        },
      }),
    );
  },
  async start({ get, defer }) {
    defer(get(Settings).watch(WORD, (word) => void notices.push(word)));
  },
});

/** A second plugin that only logs. */
const owl = definePlugin({ id: "owl", register: ({ log }) => void loggers.push(log) });

const fake = createFakeChannel();
let parley: Parley;
let api: Client;
let models: ModelServer;
let voice: VoiceServer;
let pushes: PushServer;

beforeAll(async () => {
  [models, voice, pushes] = await Promise.all([startModelServer(), startVoiceServer(), startPushServer()]);
  const served = `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${await findFreePort()}\n`;
  const config = served + toCommandLinesConfig(toToolServerCommands("good"));
  parley = await startParley({
    plugins: [fake.plugin, parrot, owl],
    config,
    env: { PATH: process.env.PATH ?? "", CARDS_TOKEN: "x" },
  });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  for (const purpose of ["tts", "stt"])
    await api.post("/api/ai-models", { name: purpose, model: purpose, purpose, base_url: voice.baseUrl });
  const capabilities = { supports_file_send: true };
  for (const type of [fake.id, "dialler"])
    await api.post("/api/channels", { id: type, name: type, type, transport: "bridge", capabilities });
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await Promise.all([models, voice, pushes].map((server) => server[Symbol.asyncDispose]()));
});
afterEach(() => void vi.restoreAllMocks());

/** Sends a setting; its dotted key becomes a nested object. */
const put = (key: string, value: unknown) =>
  api.put("/api/settings", key.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as object);
const chat = async (content: string) => {
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  return api.send("POST", `/api/sessions/${id}/chat`, { body: { content } });
};
const task = () => api.post<{ id: string }>("/api/task-center", { name: "news", prompt: "What is new?" });
const reload = () => api.post("/api/system/reload-core", {});
const waitUntilIdle = () => parley.host.get(Gateway).idle();
const getMessages = async (group: string) => {
  const path = `/api/sessions/${encodeURIComponent(`fake:group:${group}`)}/messages`;
  return (await api.get<{ items: readonly Message[] }>(path)).items.map(({ content }) => content);
};
const isObeyed = async (userId: string) => {
  const before = fake.sent.length;
  await fake.say("admins", "/msg_filter list", { sender: { id: userId, name: "Eve", isAdmin: false } });
  await eventually(() => expect(fake.sent.length).toBe(before + 1));
  return !/administrator/i.test(fake.sent.at(-1)?.text ?? "");
};
const isOffered = async (tool: string) => {
  const { items } = await api.get<{ items: readonly { name: string; is_offered: boolean }[] }>("/api/tools?limit=200");
  return items.find(({ name }) => name === tool)?.is_offered;
};
const readMemory = async () => JSON.stringify(await api.get("/api/memory"));
/** Returns unfinished jobs of a kind. */
const getJobs = async (kind: string) => {
  const { items } = await api.get<{ items: readonly { kind: string; status: string }[] }>("/api/jobs");
  return items.filter((job) => job.kind === kind && ["waiting", "running"].includes(job.status));
};
/** Returns the delays of the timers that are set during the work. */
const getTimers = async (work: () => Promise<unknown>) => {
  const spy = vi.spyOn(globalThis, "setTimeout");
  await work();
  return spy.mock.calls.map(([, ms]) => ms);
};

/** Returns the requests to a sticker service during a chat. */
const chatWithStickers = async (features: object) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end('{"results": []}');
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await api.put("/api/settings", { features: { sticker_api_url: address, ...features } });
  await chat("hello");
  await api.put("/api/settings", { features: { sticker: null, sticker_probability: null, sticker_api_url: null } });
  server.close();
  return asked;
};

let checks: Promise<readonly [before: ReachabilityChecks, after: ReachabilityChecks]> | undefined;
type ReachabilityChecks = Awaited<ReturnType<typeof checkReachability>>;
const isOpen = async (which: keyof ReachabilityChecks) => {
  checks ??= (async () => {
    const before = await checkReachability(parley.address);
    await api.put("/api/settings", { web: PROXY_SETTINGS });
    await reload();
    return [before, await checkReachability(parley.address)] as const;
  })();
  expect((await checks).map((check) => check[which])).toEqual([false, true]);
};

const compareByMessage = (one: { readonly message: string }, other: { readonly message: string }) =>
  one.message < other.message ? -1 : 1;

const ground = (): EffectFixture => ({
  parley,
  api,
  channel: fake,
  voice,
  pushes,
  put,
  chat,
  quiet: waitUntilIdle,
  jobsOf: getJobs,
});

const EFFECTS: EffectChecks = {
  async timezone() {
    await put("timezone", "Pacific/Kiritimati");
    const { range } = await api.get<{ range: object }>("/api/tokens?date_range=today");
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Pacific/Kiritimati" }).format();
    expect(range).toMatchObject({ timezone: "Pacific/Kiritimati", end_date: today });
  },
  async "backups.daily"() {
    const isPlanned = async () => (await parley.host.get(Schedules).get("operations.backup")).enabled;
    expect(await isPlanned()).toBe(false);
    await put("backups.daily", true);
    await eventually(async () => expect(await isPlanned()).toBe(true));
    await put("backups.daily", null);
  },
  async "updates.check"() {
    const isPlanned = async () => (await parley.host.get(Schedules).get("operations.updates")).enabled;
    expect(await isPlanned()).toBe(false);
    await put("updates.check", true);
    await eventually(async () => expect(await isPlanned()).toBe(true));
    await put("updates.check", null);
  },
  async "updates.registry"() {
    const asked: string[] = [];
    const registry = createServer(({ url = "" }, response) => {
      asked.push(url);
      response.end(JSON.stringify({ version: "0.0.1" }));
    }).listen(0, "127.0.0.1");
    await once(registry, "listening");
    await put("updates.registry", `http://127.0.0.1:${(registry.address() as AddressInfo).port}`);
    await put("updates.check", true);
    await parley.host.get(Schedules).run("operations.updates");
    await eventually(() => expect(asked).toContain("/@parley%2fhost/latest"));
    await put("updates.check", null);
    await eventually(async () =>
      expect((await parley.host.get(Schedules).get("operations.updates")).enabled).toBe(false),
    );
    registry.closeAllConnections();
    registry.close();
  },
  async "backups.keep"() {
    await put("backups.keep", 1);
    const names = () => (existsSync(folder) ? readdirSync(folder).filter((name) => /^backup-\w+$/.test(name)) : []);
    const folder = join(parley.root, "data", "backups");
    const createFile = async () => {
      const before = names();
      await parley.host.get(Schedules).run("operations.backup");
      await eventually(() => expect(names()).toEqual([expect.not.stringMatching(before[0] ?? "none")]));
    };
    await createFile();
    const jobs = async () => (await parley.host.get(Schedules).get("operations.backup")).last_job?.status;
    await eventually(async () => expect(await jobs()).toBe("done"));
    await createFile();
  },
  async "log.levels"() {
    parley.host.get(Redaction).remember("feathered-secret");
    const chatter = (message: string) => {
      for (const log of loggers) log.debug(message, { api_key: "sk-1", why: "a feathered-secret" });
      dialled?.log.debug(`${message} on the line`);
    };
    const countReceived = async () => {
      const { items } = await api.get<{ items: readonly { source: string; message: string; context: object }[] }>(
        "/api/logs?level=debug",
      );
      return items.map(({ source, message, context }) => ({ source, message, context })).toSorted(compareByMessage);
    };
    chatter("unheard");
    await put("log.levels", { parrot: "debug" });
    chatter("croak");
    await put("log.levels", { parrot: null });
    chatter("unheard again");
    expect(await countReceived()).toEqual([
      { source: "parrot", message: "croak", context: { api_key: "***", why: "a ***" } },
      { source: "parrot", message: "croak on the line", context: { channel: "dialler" } },
    ]);
    expect(await api.send("PUT", "/api/settings", { body: { log: { levels: { parrot: "loud" } } } })).toMatchObject({
      status: 400,
    });
  },
  async "web.title"() {
    await put("web.title", "Mine");
    expect((await api.send("GET", "/", { token: "" })).text).toContain("<title>Mine</title>");
  },
  "web.public_base_url": () => isOpen("public_base_url"),
  "web.trusted_proxies": () => isOpen("trusted_proxies"),
  "web.cors_origins": () => isOpen("cors_origins"),
  async "features.ai"() {
    await put("features.ai", false);
    expect((await chat("hi")).status).toBe(503);
    await put("features.ai", null);
    expect((await chat("hi")).status).toBe(200);
  },
  async "features.sticker"() {
    expect(await chatWithStickers({ sticker: false, sticker_probability: 1 })).toEqual([]);
    expect(await chatWithStickers({ sticker: true, sticker_probability: 1 })).toEqual(["/smile"]);
  },
  async "features.sticker_probability"() {
    expect(await chatWithStickers({ sticker: true, sticker_probability: 0 })).toEqual([]);
    expect(await chatWithStickers({ sticker: true, sticker_probability: 1 })).toEqual(["/smile"]);
  },
  async "features.sticker_api_url"() {
    expect(await chatWithStickers({ sticker: true, sticker_probability: 1, sticker_api_url: "" })).toEqual([]);
  },
  async "chat.auto_state_interval"() {
    const runs = async () =>
      (await api.get<{ auto_state: { runs: number } }>("/api/characters/runtime/status")).auto_state.runs;
    const { id: character_id } = await api.post<{ id: string }>("/api/characters", { name: "Ada" });
    const { id } = await api.post<{ id: string }>("/api/sessions", { character_id });
    const before = await runs();
    await put("chat.auto_state_interval", 1);
    await api.post(`/api/sessions/${id}/chat`, { content: "hi" });
    await eventually(async () => expect(await runs()).toBeGreaterThan(before));
    await put("chat.auto_state_interval", null);
  },
  async "features.group_memory"() {
    await fake.say("talk", "one", { addressed: false });
    await waitUntilIdle();
    await put("features.group_memory", true);
    await fake.say("talk", "two", { addressed: false });
    await waitUntilIdle();
    expect(await getMessages("talk")).toEqual(["two"]);
  },
  async "chat.turn_timeout_s"() {
    await put("chat.turn_timeout_s", 12);
    expect(await getTimers(() => chat("hi"))).toContain(12_000);
  },
  async "automation.run_timeout_s"() {
    await put("automation.run_timeout_s", 13);
    const { id: taskId } = await task();
    const order = { kind: "custom", taskId, trigger: "test", metadata: {} } as const;
    const times = await getTimers(async () => {
      await parley.host.get(Gateway).submit(order);
      await waitUntilIdle();
    });
    expect(times).toContain(13_000);
  },
  async "features.workflow"() {
    const { id } = await task();
    const runSchedule = async () => {
      await parley.host.get(Schedules).run(`automation.${id}`);
      await eventually(async () => expect((await getJobs("automation.due")).length).toBe(0));
      const { items } = await api.get<{ items: readonly { id: string; skipped_count: number }[] }>("/api/task-center");
      return items.find((item) => item.id === id)?.skipped_count;
    };
    const before = await runSchedule();
    await put("features.workflow", false);
    expect([before, await runSchedule()]).toEqual([0, 1]);
  },
  async "gateway.concurrency"() {
    await put("gateway.concurrency", 1);
    models.script.push({ kind: "hang" });
    const first = models.nextRequest();
    await fake.say("first", "one");
    await first;
    await fake.say("second", "two");
    const second = models.nextRequest();
    await put("gateway.concurrency", 2);
    expect(JSON.stringify((await second).body.messages)).toContain("two");
    await api.send("DELETE", "/api/sessions/fake:group:first");
    await waitUntilIdle();
  },
  async "gateway.worker_autostart"() {
    const state = async () => (await api.get<{ worker_state: string }>("/api/gateway/queue/status")).worker_state;
    await put("gateway.worker_autostart", false);
    await reload();
    expect(await state()).toBe("stopped");
    await put("gateway.worker_autostart", true);
    await reload();
    expect(await state()).toBe("running");
  },
  async "gateway.allow_private_outbound"() {
    const countFetched = async () =>
      dialled
        ?.fetch("http://10.255.255.1:9/", { signal: AbortSignal.timeout(20) })
        // The outcome depends on the network; only the attempt matters here.
        .then(
          () => "reached",
          (error: Error) => error.message,
        );
    const rejected = await countFetched();
    await put("gateway.allow_private_outbound", true);
    expect([rejected, await countFetched()]).toEqual([
      expect.stringContaining("are not allowed"),
      expect.not.stringContaining("are not allowed"),
    ]);
  },
  async "files.max_upload_mb"() {
    const upload = async () => {
      const body = new FormData();
      body.append("file", new File([Buffer.alloc(1_500_000)], "a.bin"));
      const headers = { authorization: `Bearer ${api.token}` };
      return (await fetch(`${parley.address}/api/upload`, { method: "POST", headers, body })).status;
    };
    await put("files.max_upload_mb", 1);
    const rejected = await upload();
    await put("files.max_upload_mb", 2);
    expect([rejected, await upload()]).toEqual([413, 200]);
  },
  async master_id() {
    const before = await isObeyed("1");
    await put("master_id", "fake:1");
    expect([before, await isObeyed("1")]).toEqual([false, true]);
  },
  async admin_ids() {
    const before = await isObeyed("2");
    await put("admin_ids", ["fake:2"]);
    expect([before, await isObeyed("2")]).toEqual([false, true]);
  },
  async "mcp.oauth_enabled"() {
    const requestMetadata = async () =>
      (await api.send("GET", "/.well-known/oauth-authorization-server", { token: "" })).status;
    const before = await requestMetadata();
    await put("mcp.oauth_enabled", false);
    expect([before, await requestMetadata()]).toEqual([200, 404]);
    await put("mcp.oauth_enabled", true);
    expect(await requestMetadata()).toBe(200);
  },
  async "mcp.stdio_enabled"() {
    const program = toStdioEntry([process.execPath, TOOL_SERVER, "good"]);
    await api.post("/api/mcp-servers", { id: "program", name: "program", ...program, auto_connect: true });
    await api.post("/api/mcp-servers/program/connect", {});
    const isConnected = async (is: boolean) => {
      const { items } = await api.get<{ items: readonly { id: string; connected: boolean }[] }>("/api/mcp-servers");
      expect(items.find(({ id }) => id === "program")?.connected).toBe(is);
    };
    await put("mcp.stdio_enabled", false);
    await eventually(() => isConnected(false));
    expect(await api.send("POST", "/api/mcp-servers/program/connect", { body: {} })).toMatchObject({ status: 403 });
    await put("mcp.stdio_enabled", true);
    await eventually(() => isConnected(true));
  },
  async "features.avatar"() {
    const requestAvatar = async () => (await api.send("GET", "/api/avatar/history")).status;
    await put("features.avatar", false);
    const off = await requestAvatar();
    await put("features.avatar", true);
    expect([off, await requestAvatar()]).toEqual([503, 200]);
  },
  async "features.knowledge"() {
    await api.post("/api/knowledge", {
      title: "Opening hours",
      content: "The lighthouse opens at 7.",
      wait_index: true,
    });
    const isGiven = async () => {
      await chat("When does the lighthouse open?");
      return JSON.stringify(models.requests.at(-1)?.body).includes("opens at 7");
    };
    await put("features.knowledge", false);
    const off = await isGiven();
    await put("features.knowledge", true);
    expect([off, await isGiven()]).toEqual([false, true]);
  },
  async "features.memory"() {
    await put("memory.finding", "local");
    await put("features.memory", false);
    await chat("My name is Nobody");
    await put("features.memory", true);
    await chat("My name is Ada");
    await eventually(async () => expect(await readMemory()).toContain("Ada"));
    expect(await readMemory()).not.toContain("Nobody");
  },
  async "memory.finding"() {
    const countAskedFor = async (finding: string, text: string) => {
      await put("memory.finding", finding);
      const before = models.memoryRequests.length;
      await chat(text);
      await eventually(async () => expect(await getJobs("memory.find")).toEqual([]));
      return models.memoryRequests.length - before;
    };
    expect(await countAskedFor("local", "I live in Oslo")).toBe(0);
    expect(await countAskedFor("model", "I live in Bergen")).toBe(1);
  },
  async "features.skill_scripts"() {
    await api.post("/api/skills", { name: "counting", skill_md: "# Counting" });
    await put("features.skill_scripts", false);
    const before = await isOffered("run_skill_script");
    await put("features.skill_scripts", true);
    expect([before, await isOffered("run_skill_script")]).toEqual([false, true]);
    await put("features.skill_scripts", false);
  },
  async "features.exec_command"() {
    const before = await isOffered("exec_command");
    await put("features.exec_command", true);
    expect([before, await isOffered("exec_command")]).toEqual([false, true]);
    await put("features.exec_command", false);
  },
  async "tools.weather"() {
    await put("tools.weather", "open_meteo");
    const before = await isOffered("get_weather");
    await put("tools.weather", "off");
    expect([before, await isOffered("get_weather")]).toEqual([true, false]);
  },
  async "tools.search"() {
    const before = await isOffered("search_web");
    await put("tools.search", "wikipedia");
    expect([before, await isOffered("search_web")]).toEqual([false, true]);
  },
  async "tools.news"() {
    const before = await isOffered("search_news");
    await put("tools.news", "gdelt");
    expect([before, await isOffered("search_news")]).toEqual([false, true]);
  },
  async "tools.searxng_url"() {
    await put("tools.news", "searxng");
    const before = await isOffered("search_news");
    await put("tools.searxng_url", "http://127.0.0.1:8888");
    expect([before, await isOffered("search_news")]).toEqual([false, true]);
  },
  async "tools.allow_private_addresses"() {
    const implementation = { type: "http", url: `${models.baseUrl}/no-such-thing` };
    const tryTool = () =>
      api.post<{ readonly status: number | null }>("/api/tools/try", { implementation, arguments: {} });
    const before = await tryTool();
    await put("tools.allow_private_addresses", true);
    expect([before.status, (await tryTool()).status]).toEqual([null, expect.any(Number)]);
  },
  async "memory.recall_tokens"() {
    for (let at = 0; at < 6; at += 1) {
      await api.post("/api/memory", { key: `tea ${at}`, value: `tea ${at} ${"leaf ".repeat(20)}`, importance: 9 });
    }
    const countRecalled = async () => {
      await chat("Which tea do I like?");
      const asked = models.requests
        .map(({ body }) => JSON.stringify(body))
        .filter((body) => body.includes("Which tea"));
      return asked.at(-1)?.match(/leaf leaf leaf leaf/g)?.length ?? 0;
    };
    const before = await countRecalled();
    await put("memory.recall_tokens", 60);
    const after = await countRecalled();
    expect(before).toBeGreaterThan(after);
    expect(after).toBeGreaterThan(0);
  },
  async "models.currency"() {
    const usage = parley.host
      .all(ToolTables)
      .flat()
      .find(({ name }) => name === "web_get_token_usage");
    const runUsage = () => usage?.run({ date_range: "all" }, {} as ToolContext);
    const before = await runUsage();
    await put("models.currency", "CNY");
    expect([before, await runUsage()]).toMatchObject([{ currency: "USD" }, { currency: "CNY" }]);
  },
  async card_platforms() {
    const { id } = await api.post<{ id: string }>("/api/personality/custom-presets", { name: "Mira" });
    const upload = () =>
      api.send("POST", `/api/personality/custom-presets/${id}/upload-to-platform`, { body: { confirm: true } });
    expect(await upload()).toMatchObject({ status: 503 });
    await put("card_platforms", [{ name: "cards", url: "http://127.0.0.1:1/upload", token_env: "CARDS_TOKEN" }]);
    expect((await upload()).status).not.toBe(503);
  },
  ...createVoiceChecks(ground),
  ...createPushChecks(ground),
  ...createFilterChecks(ground),
  async "parrot.word"() {
    const readReply = async () => JSON.stringify((await chat("/parrot")).json?.data);
    expect(await readReply()).toContain('"hello"');
    await put("parrot.word", "ahoy");
    expect(await readReply()).toContain('"ahoy"');
    expect(notices).toEqual(["ahoy"]);
  },
};

test("every offered setting has an effect that is tested here", async () => {
  const { _meta } = await api.get<View>("/api/settings");
  expect(_meta.definitions.map(({ key }) => key).toSorted()).toEqual(Object.keys(EFFECTS).toSorted());
  expect(Object.keys(_meta.sources).toSorted()).toEqual(Object.keys(EFFECTS).toSorted());
});

// Backups exist only for storage in files.
const looked = Object.entries(EFFECTS).filter(([key]) => isInFiles || !key.startsWith("backups."));
test.each(looked)("%s takes effect", async (key, look) => {
  // Removes the value of an earlier attempt of this test.
  await put(key, null);
  await look();
});

test("a plugin's setting is shown with its titles and its form, and validated like all others", async () => {
  const { _meta } = await api.get<View>("/api/settings");
  expect(_meta.definitions.find(({ key }) => key === "parrot.word")).toEqual({
    key: "parrot.word",
    group: "general",
    title: { en: "What the parrot says", zh: "鹦鹉说的话" },
    help: null,
    schema: expect.objectContaining({ type: "string", maxLength: 20 }),
    default: "hello",
    restart_required: false,
  });
  expect(await api.send("PUT", "/api/settings", { body: { parrot: { word: "x".repeat(21) } } })).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining("parrot.word") },
  });
});

test("an unknown setting is rejected, and one of a plugin is stored and shown", async () => {
  await expect(put("gone.plugin", { a: [1] })).rejects.toThrow("gone.plugin.a: is not a setting of any enabled plugin");
  await put("parrot.word", "kept");
  const shown = await api.get<object>("/api/settings");
  expect(shown).toMatchObject({ parrot: { word: "kept" } });
  expect(shown).not.toHaveProperty("gone");
});
