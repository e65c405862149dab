import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkConfiguration } from "@parley/cli";
import { Checks, definePlugin, defineTexts, listEnglishTexts } from "@parley/core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

const headers = { "accept-language": "xx-XX, en;q=0.5" };
const writeLanguage = (file: string, content: string | object) =>
  writeFileSync(join(root, "languages", file), typeof content === "string" ? content : JSON.stringify(content));
/** Marks a text as translated: its words stay readable, and its parameters stay where they are. */
const translate = (english: string) => `«${english}»`;

const pumpTexts = defineTexts("pump", {
  en: { dry: "pump {name} runs dry", fill: "fill the tank" },
  zh: { dry: "水泵 {name} 缺水", fill: "请加水" },
});
/** A third party's plugin that finds a problem. */
const pumpPlugin = definePlugin({
  id: "pump",
  register({ contribute }) {
    const advice = () => pumpTexts.localized("fill");
    const text = () => pumpTexts.localized("dry", { name: "A" });
    const find = async () => [{ key: "pump.dry", level: "warning" as const, said: text(), advice: advice() }];
    contribute(Checks, () => ({ id: "pump", run: find }));
  },
});

let root = "";
let fake: FakeChannel;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  // All packages are loaded once, so that their texts are known.
  await (await startParley())[Symbol.asyncDispose]();
  const texts = Object.fromEntries(listEnglishTexts().map((english) => [english, translate(english)]));
  fake = createFakeChannel();
  parley = await startParley({
    plugins: [fake.plugin, pumpPlugin],
    languages: { xx: { name: "Xish", texts } },
    logLevel: "warn",
  });
  ({ root } = parley);
  api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge", config: {} });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
});

const getError = async (method: string, path: string, body?: object) =>
  (await api.send(method, path, { headers, ...(body && { body }) })).json?.error;

test("errors of the API are in the language of one file, with their parameters and fields", async () => {
  expect(await getError("GET", "/api/sessions/sess_none")).toBe("«session 'sess_none' does not exist»");
  expect(await getError("POST", "/api/channels", { id: "xyz", name: 5, type: "custom" })).toBe("name: «must be text»");
  const answer = await api.send("GET", "/api/sessions/sess_none", { headers: { "accept-language": "de" } });
  expect(answer.json?.error).toBe("session 'sess_none' does not exist");
});

interface Stored {
  readonly items: readonly { readonly error: { readonly error: string } | null }[];
}

test("the error of a stored message is in the language of whoever reads it", async () => {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Talk" });
  const silent = {
    name: "silent",
    model: "silent",
    base_url: "http://127.0.0.1:9/v1",
    api_key: "sk-x",
    retry_count: 0,
  };
  const model = await api.post<{ id: string }>("/api/ai-models", silent);
  await api.post(`/api/ai-models/${model.id}/apply`, {});
  const answer = await api.send("POST", `/api/sessions/${id}/chat`, { headers, body: { content: "Hello" } });
  expect(answer.json?.error).toMatch(/^«the model did not answer: /);
  const read = async (language: string) => {
    const { json } = await api.send("GET", `/api/sessions/${id}/messages`, {
      headers: { "accept-language": language },
    });
    return (json as { readonly data: Stored }).data.items.flatMap(({ error }) => error?.error ?? []);
  };
  expect(await read("xx")).toEqual([answer.json?.error]);
  expect(await read("zh-CN")).toEqual([expect.stringMatching(/^模型没有应答：/)]);
  expect(await read("en")).toEqual([expect.stringMatching(/^the model did not answer: /)]);
});

test("frames of the socket are in the language of its address", async () => {
  using socket = await openSocket(api, "xx");
  const ack = await socket.ask({ type: "join_session", session_id: "sess_none" });
  expect(ack).toMatchObject({ ok: false, error: "«session 'sess_none' does not exist»" });
});

interface TracedAnswer {
  readonly data: { readonly events: readonly { readonly status: string; readonly metadata: object }[] };
}

test("the trace of a message is in the language of whoever reads it, also where its parameters are texts", async () => {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Traced" });
  await api.send("POST", `/api/sessions/${id}/chat`, { body: { content: "Hello" } });
  const { items } = await api.get<{ items: readonly { trace_id: string }[] }>(`/api/sessions/${id}/messages`);
  const traceId = items[0]?.trace_id;
  const read = async (language: string) => {
    const path = `/api/gateway/logs/trace/${traceId}`;
    const { json } = await api.send("GET", path, { headers: { "accept-language": language } });
    return (json as TracedAnswer).data.events;
  };
  const say = (message: string) => ({ status: "received", metadata: { message } });
  await eventually(async () =>
    expect(await read("en")).toContainEqual(expect.objectContaining({ status: "received" })),
  );
  expect((await read("en"))[0]).toMatchObject(say("a message from the API"));
  expect((await read("xx"))[0]).toMatchObject(say("«a message from «the API»»"));
  expect((await read("zh-CN"))[0]).toMatchObject(say("收到消息，来自：API 接口"));
});

interface LogLine {
  readonly message: string;
  readonly message_detail: { readonly key: string } | null;
}

test("log lines are shown, and found, in the language of whoever reads them", async () => {
  await api.as("").send("POST", "/api/login", { body: { username: "admin", password: "wrong" } });
  const find = async (language: string, q: string) => {
    const path = `/api/logs?q=${encodeURIComponent(q)}&limit=1`;
    const { json } = await api.send("GET", path, { headers: { "accept-language": language } });
    return (json as { readonly data: { readonly items: readonly LogLine[] } }).data.items[0];
  };
  await eventually(async () => expect(await find("en", "a login failed")).toBeDefined());
  expect(await find("en", "a login failed")).toMatchObject({ message: "a login failed" });
  expect(await find("xx", "«a login failed»")).toMatchObject({ message: "«a login failed»" });
  const chinese = await find("zh-CN", "登录失败");
  expect(chinese).toMatchObject({ message: "登录失败", message_detail: { key: "log.a login failed" } });
  expect(await find("en", "登录失败")).toBeUndefined();
});

test("what the service finds wrong is in all languages, for the status page", async () => {
  const { items } = await api.get<{ items: readonly { key: string }[] }>("/api/system/findings");
  expect(items.find(({ key }) => key === "pump.dry")).toMatchObject({
    said: { en: "pump A runs dry", zh: "水泵 A 缺水", xx: "«pump A runs dry»" },
  });
});

test("a person on a channel is answered in the language of their platform", async () => {
  const sender = { id: "p1", name: "P", isAdmin: false, language: "xx" };
  await fake.say("team", "/help nothing", { sender });
  await eventually(() => expect(fake.sent.length).toBeGreaterThan(0));
  expect(fake.sent.at(-1)?.text).toMatch(/^«.*»/);
});

test("a channel can speak the language of one file, and only languages that exist", async () => {
  const { items } = await api.get<{ items: readonly { id: string; config_schema: object }[] }>("/api/channels");
  expect(items.find(({ id }) => id === fake.id)?.config_schema).toMatchObject({
    properties: { language: { enum: ["auto", "en", "zh", "xx"] } },
  });
  await api.put(`/api/channels/${fake.id}`, { config: { language: "xx" } });
  const before = fake.sent.length;
  await fake.say("team", "/help nothing", { sender: { id: "p2", name: "Q", isAdmin: false, language: "en" } });
  await eventually(() => expect(fake.sent.length).toBeGreaterThan(before));
  expect(fake.sent.at(-1)?.text).toMatch(/^«.*»/);
  expect(await getError("PUT", `/api/channels/${fake.id}`, { config: { language: "qq" } })).toMatch(
    /^config\.language: /,
  );
});

test("the languages and their texts can be read, also before anybody has signed in", async () => {
  const open = api.as("");
  const { items } = await open.get<{ items: readonly object[] }>("/api/languages");
  expect(items).toEqual([
    { code: "en", name: "English" },
    { code: "zh", name: "中文" },
    { code: "xx", name: "Xish" },
  ]);
  expect(await open.get("/api/languages/xx")).toMatchObject({
    code: "xx",
    texts: { "sign in first": "«sign in first»" },
  });
  expect(await open.send("GET", "/api/languages/qq")).toMatchObject({ status: 404 });
});

test.each([
  ["yy.json", "{", /^languages\/yy\.json cannot be used: .*line 1/],
  ["yy.json", { name: "Y", texts: { a: 5 } }, /^languages\/yy\.json cannot be used: .*'texts\.a'|a/],
  ["english.json", { name: "E", texts: {} }, /'english' is no code of a further language/],
  ["zh.json", { name: "Z", texts: {} }, /'zh' is no code of a further language/],
  [
    "yy.json",
    { name: "Y", texts: { "hello {name}": "{nome}!" } },
    /1 text has a parameter that the English one lacks.*hello/,
  ],
  ["yy.json", { name: "Y", texts: {} }, /^language 'yy' lacks \d{3,} texts, shown in English/],
])("a file %s with %j is reported by the check", async (file, content, warning) => {
  writeLanguage(file, content);
  try {
    const { warnings } = await checkConfiguration({ root, flags: { port: 0 } });
    expect(warnings).toContainEqual(expect.stringMatching(warning));
  } finally {
    rmSync(join(root, "languages", file));
  }
});

test("a channel goes on, and can be changed, after its language was removed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-language-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const platform = createFakeChannel("plain");
  const path = `/api/channels/${platform.id}`;
  const start = async (languages: Readonly<Record<string, object>>) => {
    const service = await startParley({ root: folder, plugins: [platform.plugin], languages });
    return { service, client: await service.signIn() };
  };
  const before = await start({ yy: { name: "Yish", texts: {} } });
  const draft = { id: platform.id, name: "Plain", type: platform.id, transport: "bridge", config: { language: "yy" } };
  await before.client.post("/api/channels", draft);
  await before.service[Symbol.asyncDispose]();
  rmSync(join(folder, "languages"), { recursive: true });
  const after = await start({});
  await using _service = after.service;
  await platform.say("team", "/help nothing");
  await eventually(() => expect(platform.sent.at(-1)?.text).toMatch(/nothing/));
  const changed = await after.client.put(path, { config: { group_trigger: "all" } });
  expect(changed).toMatchObject({ config: { language: "auto", group_trigger: "all" } });
});
