import type { Message } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { openSocket } from "../harness/http/socket.ts";
import { connectMcp } from "../harness/mcp/mcp.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let models: ModelServer;
let api: Client;
let mcpAddress: string;
let key: string;

beforeAll(async () => {
  const port = await findFreePort();
  mcpAddress = `http://127.0.0.1:${port}/mcp`;
  models = await startModelServer();
  const config = `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\nadmin = true\n`;
  parley = await startParley({ waitWithinMs: 30_000, config });
  api = await parley.signIn();
  key = (await api.post<{ secret: string }>("/api/api-keys", { name: "mcp", scopes: ["mcp"] })).secret;
  const model = { name: "scripted", model: "m", base_url: models.baseUrl };
  const { id } = await api.post<{ id: string }>("/api/ai-models", model);
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/channels", { id: "door", name: "door", config: { auth: { type: "none" } } });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

/** Returns the plugins, areas and resources that the console shows. */
const listShown = async () => {
  const { items } = await api.get<{ items: readonly { id: string; state: string; version: string }[] }>("/api/plugins");
  const parts = ["/api/console/areas", "/api/console/resources"].map((path) => api.get<object>(path));
  return [items.map(({ id, state }) => `${id} ${state}`), ...(await Promise.all(parts))];
};

test("a reload of any one plugin affects only what that plugin serves", { timeout: 600_000 }, async () => {
  const { items } = await api.get<{ items: readonly { id: string }[] }>("/api/plugins");
  expect(items.length).toBeGreaterThan(25);
  let mcp = await connectMcp(mcpAddress, key);
  const listTools = async () => (await mcp.client.listTools()).tools.map(({ name }) => name);
  const tools = await listTools();
  for (const { id } of items) {
    const before = await listShown();
    const session = (await api.post<{ id: string }>("/api/sessions", { name: id })).id;
    using socket = await openSocket(api);
    const closing: number[] = [];
    void socket.closed().then((code) => closing.push(code));
    await socket.ask({ type: "join_session", session_id: session });
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["I was ", "still ", "talking."], gate });
    await socket.ask({ type: "send_message", session_id: session, content: "first", temp_id: `first ${id}` });
    gate.next();
    await socket.next(({ type }) => type === "ai_stream_chunk");

    const reloading = api.post<object>("/api/system/reload-core", { packages: [id] });
    const body = { message_id: id, user_id: "u", content: "hi" };
    const called = await api.send("POST", "/api/gateway/door/webhook", { body });
    // A reload of the web plugin closes the console's socket.
    const others = id === "web" ? [] : ["second"];
    for (const content of others) {
      const frame = { type: "send_message", session_id: session, content, temp_id: `${content} ${id}` };
      expect(await socket.ask(frame), id).toMatchObject({ type: "ack" });
    }
    for (let left = 3; left > 0; left -= 1) gate.next();
    expect(await reloading, id).toMatchObject({ reloaded: [id], failed: [] });
    expect(called.status, id).toBe(200);

    await eventually(async () => {
      const { items: all } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${session}/messages`);
      const texts = all.map(({ content }) => content);
      const answers = others.flatMap((content) => [content, `You said: ${content}`]);
      expect(texts, id).toEqual(["first", "I was still talking.", ...answers]);
    });
    expect(closing, id).toEqual(id === "web" ? [1001] : []);
    if (id === "mcp-bridge") {
      await expect(listTools()).rejects.toThrow("initialize anew");
      await mcp[Symbol.asyncDispose]();
      mcp = await connectMcp(mcpAddress, key);
    }
    expect(await listTools(), id).toEqual(tools);
    expect(await listShown(), id).toEqual(before);
  }
  await mcp[Symbol.asyncDispose]();
});
