import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Channels, Databases, fixedStatement } from "@parley/core";
import { type ReplayServer, startReplayServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type McpHttpServer, startMcpHttpServer } from "../harness/mcp/mcp-http-server.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const HEADER = "Bearer written-secret-in-a-header";
const TOKEN = "written-secret-in-an-address";
const KEY = "written-secret-in-a-skill";
const EXTRA = "written-secret-in-each-request";
const IN_TEXT = "written-secret-in-a-text";
const ARGUMENT = "written-secret-of-a-program";
const PASSWORD = "between you and me";

let root: string;
/** Folder of programs that record their input. */
let bin: string;
let parley: Parley;
let api: Client;
let shop: ReplayServer;
let mcp: McpHttpServer;
let ids: { readonly tool: string; readonly skill: string; readonly model: string };

interface Made {
  readonly id: string;
  readonly implementation: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
}
interface Server {
  readonly id: string;
  readonly url: string;
}

const call = () => ({
  ...{ type: "http", url: `${shop.address}/stock?token=${TOKEN}` },
  headers: { Authorization: HEADER, Accept: "text/plain" },
});
const remote = () => ({
  ...{ id: "remote", name: "remote", transport: "streamable-http", url: `${mcp.address}?token=${TOKEN}` },
});

const httpToolDraft = () => ({
  ...{ type: "http", method: "POST", url: `${shop.address}/form` },
  ...{ headers: { "Content-Type": "application/json" }, body: `{"api_key": "${IN_TEXT}", "n": 1}` },
});
const program = {
  ...{ id: "program", name: "program", transport: "stdio", command: "npx" },
  args: ["a-server@1.0.0", "--api-key", ARGUMENT, `--token=${ARGUMENT}-2`, `postgresql://ann:${ARGUMENT}-3@db/x`],
  env: { DATABASE: `postgresql://ann:${ARGUMENT}-4@db/x` },
};
const entrance = () => ({
  ...{ id: "entrance", name: "entrance", type: "custom", transport: "webhook" },
  config: { auth: { type: "none" }, outbound_url: `${shop.address}/out?access_token=${TOKEN}` },
});

const modelDraft = () => ({
  ...{ name: "m", model: "m", base_url: `${shop.address}/v1?token=${TOKEN}`, retry_count: 0 },
  extra_body: { auth: { api_key: EXTRA }, mode: "quick" },
});

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-written-"));
  bin = mkdtempSync(join(tmpdir(), "parley-bin-"));
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nprintf '%s\\n' "$@" "$DATABASE" > ${bin}/given\nexit 1\n`);
  chmodSync(join(bin, "npx"), 0o700);
  [shop, mcp, parley] = await Promise.all([startReplayServer(), startMcpHttpServer(), start()]);
  api = await parley.signIn();
  await api.put("/api/settings", { tools: { allow_private_addresses: true } });
  const tool = await api.post<Made>("/api/tools", { name: "stock", description: "Looks.", implementation: call() });
  const skill = await api.post<Made>("/api/skills", {
    name: "asking",
    implementation: { type: "http", url: shop.address, headers: { "X-Api-Key": KEY } },
  });
  const model = await api.post<Made>("/api/ai-models", modelDraft());
  ids = { tool: tool.id, skill: skill.id, model: model.id };
  await api.post("/api/mcp-servers", remote());
  await api.post("/api/mcp-servers", program);
  await api.post("/api/channels", entrance());
});
afterAll(async () => {
  await Promise.all([parley, shop, mcp].map((one) => one?.[Symbol.asyncDispose]()));
  for (const folder of [root, bin]) rmSync(folder, { recursive: true, force: true });
});

const start = () => startParley({ root, env: { PATH: `${bin}:${process.env.PATH}` } });

const getTool = async (client: Client, id = ids.tool) =>
  (await client.get<{ items: Made[] }>("/api/tools?source=custom")).items.find((one) => one.id === id);
const getServer = async (client: Client, id: string) =>
  (await client.get<{ items: Server[] }>("/api/mcp-servers")).items.find((one) => one.id === id);
const getAsk = (client: Client, id = ids.tool) =>
  getTool(client, id).then((tool) =>
    client.send("POST", "/api/tools/try", { body: { ...toTrial(tool), tool_id: id } }),
  );
const toTrial = (tool: Made | undefined) => ({ implementation: tool?.implementation, arguments: {} });
const findUnencrypted = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes("written-secret"));

test("secrets in a tool's request reach its server, and no reader", async () => {
  expect(await getTool(api)).toMatchObject({
    implementation: { url: `${shop.address}/stock?token=****ress`, headers: { Authorization: "****ader" } },
  });
  const asked = await getAsk(api);
  expect(shop.calls.at(-1)).toMatchObject({ path: `/stock?token=${TOKEN}`, headers: { authorization: HEADER } });
  expect(await getServer(api, "remote")).toMatchObject({ url: `${mcp.address}?token=****ress` });
  expect(await api.send("POST", "/api/mcp-servers/remote/connect", { body: {} })).toMatchObject({ status: 200 });
  const skill = await api.send("GET", "/api/skills");
  const replies = [asked, await api.send("GET", "/api/tools"), await api.send("GET", "/api/mcp-servers"), skill];
  expect(replies.map(({ text }) => text).join("")).not.toContain("written-secret");
  expect(findUnencrypted(root)).toEqual([]);
});

test("secrets in a model's address and requests reach the model, and no reader", async () => {
  type Model = { readonly base_url: string; readonly extra_body: object };
  const { items } = await api.get<{ items: (Model & { readonly id: string })[] }>("/api/ai-models");
  const shown = items.find(({ id }) => id === ids.model) as Model;
  const masked = { base_url: `${shop.address}/v1?token=****ress`, extra_body: { auth: { api_key: "****uest" } } };
  expect(shown).toMatchObject(masked);
  const tryModels = async () => {
    await api.post(`/api/ai-models/${ids.model}/test`, {});
    expect(shop.calls.at(-1)?.path).toContain(`?token=${TOKEN}`);
    expect(JSON.parse(String(shop.calls.at(-1)?.raw))).toMatchObject({ auth: { api_key: EXTRA }, mode: "quick" });
  };
  await tryModels();
  const { base_url, extra_body } = shown;
  await api.put(`/api/ai-models/${ids.model}`, { base_url, extra_body, name: "renamed" });
  await api.put(`/api/ai-models/${ids.model}`, { extra_body });
  await tryModels();
  const moved = { base_url: "http://127.0.0.1:9/v1", extra_body };
  expect(await api.send("PUT", `/api/ai-models/${ids.model}`, { body: moved })).toMatchObject({ status: 400 });
  expect(await api.send("POST", "/api/ai-models", { body: { ...modelDraft(), ...moved } })).toMatchObject({
    status: 400,
  });
  await api.post(`/api/ai-models/${ids.model}/clone`, {});
  await api.post(`/api/ai-models/${ids.model}/apply`, {});
  expect((await api.send("GET", "/api/ai-models")).text).not.toContain("written-secret");
  expect(findUnencrypted(root)).toEqual([]);
});

test("secrets for one server are not sent to another one, also when a change omits them", async () => {
  const otherAddress = "http://127.0.0.1:9";
  const stored = [
    ["PUT", `/api/ai-models/${ids.model}`, { base_url: `${otherAddress}/v1` }],
    ["PUT", "/api/mcp-servers/program", { command: "uvx" }],
    ["PUT", "/api/mcp-servers/program", { command: "uvx", args: ["a-server@1.0.0"] }],
  ] as const;
  for (const [method, path, body] of stored)
    expect(await api.send(method, path, { body }), path).toMatchObject({ status: 400 });
  const { items } = await api.get<{ items: Made[] }>("/api/tools?source=custom");
  const tool = items.find(({ id }) => id === ids.tool) as Made;
  const { headers: _, ...rest } = tool.implementation;
  const implementation = { ...rest, url: `${otherAddress}/stock` };
  await api.put(`/api/tools/${ids.tool}`, { implementation });
  expect((await getTool(api))?.implementation.headers ?? {}).toEqual({});
  await api.put(`/api/tools/${ids.tool}`, { implementation: call() });
  // A change that replaces or removes the secrets may name another server.
  const model = await api.post<Made>("/api/ai-models", modelDraft());
  await api.put(`/api/ai-models/${model.id}`, { base_url: `${otherAddress}/v1`, extra_body: {} });
  await api.send("DELETE", `/api/ai-models/${model.id}`);
});

test("secrets in a template are sent with it, and masked by their names", async () => {
  const tool = await api.post<Made>("/api/tools", {
    name: "post",
    description: "Posts.",
    implementation: httpToolDraft(),
  });
  expect(tool).toMatchObject({ implementation: { body: '{"api_key": "****text", "n": 1}' } });
  await api.put(`/api/tools/${tool.id}`, { implementation: { ...tool.implementation, max_length: 99 } });
  const tried = await getAsk(api, tool.id);
  expect(JSON.parse(String(shop.calls.at(-1)?.raw))).toEqual({ api_key: IN_TEXT, n: 1 });
  const moved = { ...tool.implementation, url: "http://127.0.0.1:9/form" };
  expect(await api.send("PUT", `/api/tools/${tool.id}`, { body: { implementation: moved } })).toMatchObject({
    status: 400,
  });
  expect(tried.text).not.toContain("written-secret");
  expect(findUnencrypted(root)).toEqual([]);
});

test("secrets for a program are passed to it alone, and shown to nobody", async () => {
  const entry = async () =>
    (await api.get<{ items: (typeof program)[] }>("/api/mcp-servers")).items.find(({ id }) => id === "program");
  const shown = await entry();
  expect(shown).toMatchObject({
    args: ["a-server@1.0.0", "--api-key", "****gram", "--token=****am-2", "postgresql://ann:****am-3@db/x"],
    env: { DATABASE: "postgresql://ann:****am-4@db/x" },
  });
  await api.put("/api/mcp-servers/program", { args: shown?.args, env: shown?.env, timeout_s: 20 });
  const ended = await api.send("POST", "/api/mcp-servers/program/connect", { body: {} });
  const given = readFileSync(join(bin, "given"), "utf8").trimEnd().split("\n");
  expect(given).toEqual(["--yes", ...program.args, program.env.DATABASE]);
  for (const body of [
    { args: [...(shown?.args ?? []), "--endpoint", "https://example.org"] },
    { args: ["other@1.0.0", ...(shown?.args.slice(1) ?? [])] },
    { args: ["other@1.0.0"], env: shown?.env },
  ])
    expect(await api.send("PUT", "/api/mcp-servers/program", { body })).toMatchObject({ status: 400 });
  expect(`${ended.text}${JSON.stringify(await entry())}`).not.toContain("written-secret");
  expect(findUnencrypted(root)).toEqual([]);
});

test("secrets in the address of the embedded connection reach it, and no reader", async () => {
  const search_api_url = `${shop.address}/search?key=${KEY}`;
  const base_url = `${shop.address}/v1?token=${TOKEN}`;
  const rows = ["", "/all-purposes", "/by-purpose/chat"].map((row) => `/api/ai-config${row}`);
  const readReplies = async () =>
    (await Promise.all(rows.map((row) => api.send("GET", row)))).map(({ text }) => text).join();
  // With a configured model, the lists by purpose would show its address instead.
  expect(await readReplies()).toContain("?token=****ress");
  expect(await readReplies()).not.toContain("written-secret");
  const set = await api.put<object>("/api/ai-config", { model: "m", base_url, search_api_url, retry_count: 0 });
  const masked = {
    base_url: `${shop.address}/v1?token=****ress`,
    search_api_url: `${shop.address}/search?key=****kill`,
  };
  expect(set).toMatchObject(masked);
  await api.put("/api/ai-config", { ...masked, temperature: 0.5 });
  await api.post("/api/ai-config/test", { base_url: masked.base_url, model: "m" });
  expect(shop.calls.at(-1)?.path).toContain(`?token=${TOKEN}`);
  for (const [method, path, body] of [
    ["PUT", "/api/ai-config", { base_url: "http://127.0.0.1:9/v1?token=****ress" }],
    ["PUT", "/api/ai-config", { search_api_url: masked.base_url }],
    ["POST", "/api/ai-config/test", { base_url: "http://127.0.0.1:9/v1?token=****ress", model: "m" }],
  ] as const)
    expect(await api.send(method, path, { body }), path).toMatchObject({ status: 400 });
  expect(await readReplies()).not.toContain("written-secret");
  expect(findUnencrypted(root)).toEqual([]);
});

test("a channel sends to its address with its secret, which no row of the file contains", async () => {
  const row = async () =>
    (await api.get<{ items: { id: string; config: { outbound_url: string } }[] }>("/api/channels")).items.find(
      ({ id }) => id === "entrance",
    );
  const sends = async () => {
    await eventually(() => expect(parley.host.get(Channels).status("entrance").connected).toBe(true));
    await api.send("POST", "/api/channels/entrance/test-message", { body: { conversation_id: "1", text: "hello" } });
    expect(shop.calls.at(-1)?.path).toBe(`/out?access_token=${TOKEN}`);
  };
  const outbound_url = `${shop.address}/out?access_token=****ress`;
  expect(await row()).toMatchObject({ config: { outbound_url } });
  await sends();
  await api.put("/api/channels/entrance", { config: { outbound_url, timeout_s: 5 }, description: "x" });
  await api.post("/api/channels/entrance/toggle", { enabled: false });
  await api.post("/api/channels/entrance/toggle", { enabled: true });
  await sends();
  const changed = { config: { outbound_url: "http://127.0.0.1:9/out?access_token=****ress" } };
  for (const path of ["/api/channels/entrance", "/api/channels/web"])
    expect(await api.send("PUT", path, { body: changed }), path).toMatchObject({ status: 400 });
  expect(await api.send("POST", "/api/channels", { body: { ...entrance(), id: "other", ...changed } })).toMatchObject({
    status: 400,
  });
  expect((await api.send("GET", "/api/channels")).text).not.toContain("written-secret");
  expect(findUnencrypted(root)).toEqual([]);
  expect(readFileSync(join(root, "data", "channels.json"), "utf8")).not.toContain("sealed");
});

test("a masked secret that is sent back keeps the stored one, but not for another server", async () => {
  const { implementation } = (await getTool(api)) as Made;
  await api.put(`/api/tools/${ids.tool}`, { implementation: { ...implementation, max_length: 99 } });
  await getAsk(api);
  expect(shop.calls.at(-1)).toMatchObject({ path: `/stock?token=${TOKEN}`, headers: { authorization: HEADER } });
  const moved = { ...implementation, url: "http://127.0.0.1:9/?token=****ress" };
  const before = shop.calls.length;
  for (const [method, path, body] of [
    ["PUT", `/api/tools/${ids.tool}`, { implementation: moved }],
    ["POST", "/api/tools/try", { implementation: moved, tool_id: ids.tool }],
    ["POST", "/api/tools/try", { implementation }],
    ["POST", "/api/tools", { name: "other", description: "o", implementation }],
    ["PUT", "/api/mcp-servers/remote", { url: "http://127.0.0.1:9/mcp?token=****ress" }],
  ] as const)
    expect(await api.send(method, path, { body }), path).toMatchObject({ status: 400 });
  expect(shop.calls).toHaveLength(before);
  const shown = await getServer(api, "remote");
  await api.put("/api/mcp-servers/remote", { url: shown?.url, timeout_s: 20 });
  expect(await api.send("POST", "/api/mcp-servers/remote/connect", { body: {} })).toMatchObject({ status: 200 });
});

test("secrets are exported on request, and otherwise missing in the other installation", async () => {
  await using there = await startParley();
  const other = await there.signIn();
  await other.put("/api/settings", { tools: { allow_private_addresses: true } });
  const transferConfig = async (asked: object) => {
    const answer = await fetch(new URL("/api/config-transfer/export", api.address), {
      method: "POST",
      headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
      body: JSON.stringify({ password: PASSWORD, ...asked }),
    });
    const body = new FormData();
    body.append("file", new Blob([await answer.arrayBuffer()]), "package.zip");
    for (const [name, value] of Object.entries({ password: PASSWORD, mode: "overwrite", confirm: "true" }))
      body.append(name, value);
    const headers = { authorization: `Bearer ${other.token}` };
    const came = await fetch(new URL("/api/config-transfer/import", other.address), { method: "POST", headers, body });
    expect([came.status, await came.text()]).toMatchObject([200, expect.stringContaining('"failed":0')]);
  };
  await transferConfig({});
  await getAsk(other);
  expect(shop.calls.at(-1)).toMatchObject({ path: "/stock?token=" });
  expect(shop.calls.at(-1)?.headers).not.toMatchObject({ authorization: expect.stringContaining("e") });
  expect((await getServer(other, "remote"))?.url).toBe(`${mcp.address}?token=`);
  const outbound = () => there.host.get(Channels).get("entrance")?.config.outbound_url;
  expect(outbound()).toBe(`${shop.address}/out?access_token=`);
  const expectModelTests = async () => {
    for (const test of [`ai-models/${ids.model}/test`, "ai-config/test"]) {
      await other.post(`/api/${test}`, {});
      expect(shop.calls.at(-1)?.path, test).toContain(`?token=${TOKEN}`);
    }
  };

  await transferConfig({ include_secrets: true });
  await getAsk(other);
  expect(shop.calls.at(-1)).toMatchObject({ path: `/stock?token=${TOKEN}`, headers: { authorization: HEADER } });
  expect((await getServer(other, "remote"))?.url).toBe(`${mcp.address}?token=****ress`);
  await expectModelTests();
  expect(outbound()).toBe(entrance().config.outbound_url);
  // Stored secrets stay when a package without secrets is imported.
  await transferConfig({});
  await getAsk(other);
  expect(shop.calls.at(-1)).toMatchObject({ path: `/stock?token=${TOKEN}`, headers: { authorization: HEADER } });
  await expectModelTests();
  expect(outbound()).toBe(entrance().config.outbound_url);
  expect(findUnencrypted(there.root)).toEqual([]);
});

test("unencrypted secrets of an earlier version are encrypted at the next start", async () => {
  const { host } = parley;
  const implementation = { ...call(), method: "GET", headers_env: {}, query: {} };
  await rewrite(host, "records_tool_data", ids.tool, { implementation });
  const skill = { type: "http", url: shop.address, headers: { "X-Api-Key": KEY } };
  await rewrite(host, "records_skill_data", ids.skill, { implementation: skill });
  const entry = await rewrite(host, "mcp-servers", "remote", { url: remote().url });
  await rewrite(host, "models", ids.model, {
    base_url: modelDraft().base_url,
    extra_body: modelDraft().extra_body,
  });
  await rewrite(host, "mcp-servers", "program", { ...entry, ...program, url: "" });
  await rewrite(host, "ai-config", "ai_config", { base_url: modelDraft().base_url });
  await parley[Symbol.asyncDispose]();
  const file = join(root, "data", "channels.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("****ress", TOKEN));
  rmSync(join(root, "data", "channel_secrets.json"));
  expect(findUnencrypted(root)).not.toEqual([]);
  parley = await start();
  api = await parley.signIn();
  const places = [
    ["records_tool_data", ids.tool],
    ["records_skill_data", ids.skill],
    ["mcp-servers", "remote"],
    ["models", ids.model],
    ["mcp-servers", "program"],
    ["ai-config", "ai_config"],
  ] as const;
  const stored = await Promise.all(places.map(([place, id]) => readRow(parley.host, place, id)));
  expect(JSON.stringify(stored)).not.toContain("written-secret");
  expect(stored).toMatchObject([
    { implementation: { sealed: expect.any(String) } },
    { implementation: { sealed: expect.any(String) } },
    ...Array.from({ length: 4 }, () => ({ sealed: expect.any(String) })),
  ]);
  expect(readFileSync(file, "utf8")).not.toContain("written-secret");
  expect(parley.host.get(Channels).get("entrance")).toMatchObject({ config: entrance().config });
  await getAsk(api);
  expect(shop.calls.at(-1)).toMatchObject({ path: `/stock?token=${TOKEN}`, headers: { authorization: HEADER } });
  expect(await api.send("POST", "/api/mcp-servers/remote/connect", { body: {} })).toMatchObject({ status: 200 });
});

/** Reads the stored fields of a record or document. */
async function readRow(host: Parley["host"], place: string, id: string): Promise<Readonly<Record<string, unknown>>> {
  const { query, params } = place.startsWith("records_")
    ? { query: `select data as text from ${place} where id = ?`, params: [id] }
    : { query: "select value as text from documents where namespace = ? and key = ?", params: [place, id] };
  const [row] = await host.get(Databases).main.lookup<{ readonly text: string }>(fixedStatement(query, params));
  const stored = JSON.parse(row?.text ?? "{}");
  return stored.value ?? stored;
}

/** Writes fields unencrypted, like an earlier version, and returns all stored fields. */
async function rewrite(host: Parley["host"], place: string, id: string, change: object): Promise<object> {
  const { sealed: _, ...fields } = await readRow(host, place, id);
  const next = { ...fields, ...change };
  const query = place.startsWith("records_")
    ? fixedStatement(`update ${place} set data = ? where id = ?`, [JSON.stringify(next), id])
    : fixedStatement("update documents set value = ? where namespace = ? and key = ?", [
        JSON.stringify({ value: { ...next, id } }),
        place,
        id,
      ]);
  await host.get(Databases).main.write([{ query, expect: 1 }]);
  return next;
}
