import Joi from "@hapi/joi";
import { definePlugin, Gateway, type Message, type PluginStatus, serviceKey } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Frame, openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let models: ModelServer;

const NeverThere = serviceKey<object>("never-there");
const flaky = definePlugin<{ fails: boolean }>({
  id: "flaky",
  config: Joi.object<{ fails: boolean }, true>({ fails: Joi.boolean().default(false) }),
  register() {},
  async start({ config, get }) {
    if (config.fails) get(NeverThere);
  },
});

beforeEach(async () => {
  [parley, models] = await Promise.all([startParley({ plugins: [flaky] }), startModelServer()]);
});
afterEach(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

test("a reload in the middle of a conversation neither loses nor duplicates a reply", async () => {
  const api = await parley.signIn();
  const model = await api.post<{ id: string }>("/api/ai-models", {
    name: "scripted",
    model: "m",
    base_url: models.baseUrl,
  });
  await api.post(`/api/ai-models/${model.id}/apply`, {});
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "kept" });
  const gate = createGate();
  models.script.push({ kind: "held", pieces: ["I was ", "still ", "talking."], gate });
  using socket = await openSocket(api);
  await socket.ask({ type: "join_session", session_id: id });
  await socket.ask({ type: "send_message", session_id: id, content: "first", temp_id: "t1" });
  gate.next();
  await socket.next(({ type }) => type === "ai_stream_chunk");

  const reloading = api.post<{ failed: readonly object[] }>("/api/system/reload-core", {});
  gate.next();
  gate.next();
  gate.next();
  expect((await reloading).failed).toEqual([]);

  await api.post(`/api/sessions/${id}/chat`, { content: "second" });
  const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
  expect(items.map(({ role, content }) => [role, content])).toEqual([
    ["user", "first"],
    ["assistant", "I was still talking."],
    ["user", "second"],
    ["assistant", "You said: second"],
  ]);
});

test("a reload that fails during a reply is rolled back, and the reply is sent once", async () => {
  const api = await parley.signIn();
  const model = await api.post<{ id: string }>("/api/ai-models", {
    name: "scripted",
    model: "m",
    base_url: models.baseUrl,
  });
  await api.post(`/api/ai-models/${model.id}/apply`, {});
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "kept" });
  const gate = createGate();
  models.script.push({ kind: "held", pieces: ["still ", "here"], gate });
  const answer = api.post<{ trace_id: string }>(`/api/sessions/${id}/chat`, { content: "first", wait: false });
  const requested = models.nextRequest();
  await answer;
  await requested;
  gate.next();
  const changing = api.send("PUT", "/api/plugins/gateway", { body: { config: { error_reply: "x".repeat(501) } } });
  gate.next();
  gate.next();
  expect(await changing).toMatchObject({ status: 400 });
  await parley.host.get(Gateway).idle();
  const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
  expect(items.map(({ content }) => content)).toEqual(["first", "still here"]);
});

test("a third-party plugin that fails after a change is skipped, and the others run on", async () => {
  const api = await parley.signIn();
  const changed = await api.put<{ state: string; failure: string; failure_detail: object }>("/api/plugins/flaky", {
    config: { fails: true },
  });
  expect(changed).toMatchObject({ state: "failed", failure: expect.stringContaining("never-there") });
  expect(changed.failure_detail).toMatchObject({ key: "host.step_failed", params: { step: "start" } });
  expect((await api.send("GET", "/api/sessions")).status).toBe(200);
  expect(await api.put("/api/plugins/flaky", { config: { fails: false } })).toMatchObject({ state: "running" });
});

test("a reload reports the plugin that it added", async () => {
  const plugins = [flaky];
  await using grown = await startParley({ plugins });
  const api = await grown.signIn();
  plugins.push(definePlugin({ id: "newcomer", register() {} }));
  const { reloaded } = await api.post<{ reloaded: readonly string[] }>("/api/system/reload-core", {});
  expect(reloaded).toEqual(expect.arrayContaining(["flaky", "newcomer"]));
});

test("a reload notifies every open page of the new plugins", async () => {
  const plugins = [flaky];
  await using grown = await startParley({ plugins });
  const api = await grown.signIn();
  using socket = await openSocket(api);
  await socket.next(({ type }) => type === "ready");
  const change = ({ type, kind }: Frame) => type === "resource_changed" && kind === "plugin";
  plugins.push(definePlugin({ id: "newcomer", register() {} }));
  await api.post("/api/system/reload-core", {});
  expect(await socket.next(change)).toMatchObject({ id: "*", action: "updated", seq: expect.any(Number) });
  const before = socket.frames.length;
  await api.put("/api/plugins/newcomer", { enabled: false });
  await socket.next(change, before);
});

test("a change of a plugin that does not start is rolled back, and the service answers as before", async () => {
  const api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "kept" });
  const rejected = await api.send("PUT", "/api/plugins/models", { body: { enabled: false } });
  expect(rejected).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining("which no enabled plugin provides") },
  });
  expect(JSON.parse(rejected.headers.get("x-parley-error") ?? "{}")).toMatchObject({ key: "host.plugin_wrong" });
  const wrong = await api.send("PUT", "/api/plugins/dice", { body: { config: { max_dice: -1 } } });
  expect(wrong).toMatchObject({ status: 400, json: { error: expect.stringContaining("max_dice") } });
  const { replies } = await api.post<{ replies: readonly Message[] }>(`/api/sessions/${id}/chat`, { content: "hello" });
  expect(replies).toHaveLength(1);
});

test("of two people who change a plugin the second one is informed of the first change", async () => {
  const api = await parley.signIn();
  const status = async () => {
    const { items } = await api.get<{ items: readonly PluginStatus[] }>("/api/plugins");
    const { revision = 0 } = items.find(({ id }) => id === "dice") ?? {};
    return revision;
  };
  const put = (max_dice: number, seen: number) =>
    api.send("PUT", "/api/plugins/dice", { body: { config: { max_dice } }, headers: { "if-match": `"${seen}"` } });
  const seen = await status();
  expect(await put(20, seen)).toMatchObject({ status: 200, json: { data: { config: { max_dice: 20 } } } });
  const now = await status();
  expect(now).not.toBe(seen);
  // Storing the same value again gives a new revision, so that a reader cannot find out stored values by guessing.
  await put(30, now);
  await put(20, await status());
  expect(await status()).not.toBe(now);
  expect(await put(30, seen)).toMatchObject({
    status: 409,
    json: { error: expect.stringContaining("changed meanwhile") },
  });
  expect(await put(30, await status())).toMatchObject({ status: 200, json: { data: { config: { max_dice: 30 } } } });
  await api.put("/api/plugins/dice", { config: { max_dice: null } });
});

test("plugin settings of the console survive a restart and take precedence over config.ini", async () => {
  const api = await parley.signIn();
  await api.put("/api/plugins/dice", { config: { max_dice: 2 } });
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  const say = async (content: string) =>
    (await api.post<{ replies: readonly Message[] }>(`/api/sessions/${id}/chat`, { content })).replies[0]?.content;
  expect(await say("/roll 3d6")).toContain("between 1 and 2");
  await parley.host[Symbol.asyncDispose]();
  const again = await startParley({ root: parley.root, config: "[plugin.dice]\nmax_dice = 50\n" });
  const status = again.host.control.plugins().find((one) => one.id === "dice");
  expect(status?.config).toEqual({ max_dice: 2 });
  const back = await (await again.signIn()).put("/api/plugins/dice", { config: { max_dice: null } });
  expect(back).toMatchObject({ config: { max_dice: 100 } });
  await again[Symbol.asyncDispose]();
});
