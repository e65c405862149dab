import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/client.ts";
import { createFakeChannel } from "../harness/fake-channel.ts";
import { freePort } from "../harness/free-port.ts";
import { startMcpHttpServer } from "../harness/mcp-http-server.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../harness/postgres.ts";
import { openSocket } from "../harness/socket.ts";
import { soon } from "../harness/soon.ts";

const programs = postgresPrograms();

interface Answered {
  readonly replies: readonly { readonly content: string }[];
}

describe.skipIf(!programs)("two nodes", () => {
  const root = mkdtempSync(join(tmpdir(), "parley-nodes-"));
  const channels = [createFakeChannel(), createFakeChannel()] as const;
  let server: PostgresServer;
  let model: ModelServer;
  let one: Parley;
  let other: Parley;
  let mcpPort: number;
  let [here, there] = [] as unknown as [Client, Client];

  const start = (at: 0 | 1) =>
    startParley({ root, server: server.folder, config: "nodes = true\n", plugins: [channels[at].plugin] });
  const session = async () => (await here.post<{ id: string }>("/api/sessions", {})).id;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    model = await startModelServer({
      answer: ({ body }) =>
        JSON.stringify(body.messages.at(-1)).includes("wait")
          ? { kind: "hang" }
          : { kind: "text", text: "Hello there." },
    });
    mcpPort = await freePort();
    const config = `nodes = true\n[mcp]\nenabled = true\ntransport = streamable-http\nport = ${mcpPort}\n`;
    one = await startParley({ root, server: server.folder, config, plugins: [channels[0].plugin] });
    here = await one.signIn();
    const { id } = await here.post<{ id: string }>("/api/ai-models", {
      name: "said",
      model: "said",
      base_url: model.baseUrl,
      api_key: "sk-said",
      retry_count: 0,
    });
    await here.post(`/api/ai-models/${id}/apply`, {});
    await here.post("/api/channels", { id: "fake", name: "fake", type: "fake", transport: "bridge" });
    await soon(async () => expect(await statusAt(here)).toBe(true));
    other = await start(1);
    there = await other.signIn();
  }, 120_000);
  afterAll(async () => {
    await other?.[Symbol.asyncDispose]();
    await one?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  const statusAt = async (api: Client) => {
    const { items } = await api.get<{ items: { id: string; status: { connected: boolean } }[] }>("/api/channels");
    return items.find(({ id }) => id === "fake")?.status.connected;
  };

  test("a message is answered at the home of its conversation, whichever node it came to, and both know the answer", async () => {
    const id = await session();
    const chat = (api: Client) => api.post<Answered>(`/api/sessions/${id}/chat`, { content: "Hi" });
    for (const api of [here, there, here]) expect((await chat(api)).replies[0]?.content).toBe("Hello there.");
    const { items } = await there.get<{ items: { role: string }[] }>(`/api/sessions/${id}/messages`);
    expect(items.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user", "assistant"]);
  });

  test("what another node serves by MCP is this very installation, and is not connected", async () => {
    const scopes = ["mcp"];
    const { secret } = await here.post<{ secret: string }>("/api/api-keys", { name: "round about", scopes });
    await there.post("/api/mcp-servers", {
      ...{ id: "self", name: "self", transport: "streamable-http", url: `http://127.0.0.1:${mcpPort}/mcp` },
      headers_env: { Authorization: "ROUND_ABOUT_KEY" },
      secrets: { ROUND_ABOUT_KEY: `Bearer ${secret}` },
    });
    const { json } = await there.send("POST", "/api/mcp-servers/self/connect", { body: {} });
    expect(json?.error).toContain("this is Parley itself");
  });

  test("who looks from one node sees what is said at another one", async () => {
    const id = await session();
    await here.post(`/api/sessions/${id}/chat`, { content: "Hi" });
    using socket = await openSocket(there);
    await socket.ask({ type: "join_session", session_id: id });
    await here.post(`/api/sessions/${id}/chat`, { content: "Again" });
    const end = await socket.next(({ type }) => type === "ai_stream_end");
    expect(end).toMatchObject({ finish_reason: "stop" });
    const said = socket.frames.filter(({ type }) => type === "ai_stream_chunk").map(({ chunk }) => chunk);
    expect(said.join("")).toBe("Hello there.");
  });

  test("a turn is stopped from a node that does not run it", async () => {
    const id = await session();
    await here.post(`/api/sessions/${id}/chat`, { content: "Hi" });
    const before = model.requests.length;
    const asked = here.post<Answered>(`/api/sessions/${id}/chat`, { content: "wait for it" });
    await soon(() => expect(model.requests.length).toBeGreaterThan(before));
    expect(await there.post("/api/stop", { session_id: id })).toMatchObject({ stopped: true });
    // Nothing had been said: there is no reply.
    expect((await asked).replies).toEqual([]);
  });

  test("a tool that is made, switched off or removed at one node is so at the other one", async () => {
    const list = async (api: Client) =>
      (await api.get<{ items: { id: string; name: string; enabled: boolean }[] }>("/api/tools?limit=500")).items;
    const find = async (api: Client, name: string) => (await list(api)).find((tool) => tool.name === name);
    const made = await here.post<{ id: string; name: string }>("/api/tools", {
      name: "say_tea",
      description: "Says what there is to drink.",
      parameters: { type: "object", properties: {} },
      implementation: { type: "static", result: "tea" },
    });
    await soon(async () => expect(await find(there, "say_tea")).toMatchObject({ enabled: true }));
    await there.post(`/api/tools/${made.id}/toggle`, { enabled: false });
    await soon(async () => expect(await find(here, "say_tea")).toMatchObject({ enabled: false }));
    await here.send("DELETE", `/api/tools/${made.id}`);
    await soon(async () => expect(await find(there, "say_tea")).toBeUndefined());
    const [built] = (await list(here)).filter(({ enabled }) => enabled);
    await here.post(`/api/tools/${built?.id}/toggle`, { enabled: false });
    await soon(async () => expect(await find(there, String(built?.name))).toMatchObject({ enabled: false }));
  });

  test("what one node changes of what the other keeps in memory is so there soon after: personality, skills, characters", async () => {
    await there.get("/api/personality");
    await here.send("PUT", "/api/personality", { body: { name: "Another" } });
    await soon(async () => expect(await there.get("/api/personality")).toMatchObject({ name: "Another" }));

    const skillsAt = async (api: Client) =>
      (await api.get<{ items: { name: string; enabled: boolean }[] }>("/api/skills")).items;
    const skill = await here.post<{ id: string }>("/api/skills", { name: "tea", description: "How tea is made." });
    await soon(async () => expect(await skillsAt(there)).toMatchObject([{ name: "tea", enabled: true }]));
    await there.post(`/api/skills/${skill.id}/toggle`, { enabled: false });
    await soon(async () => expect(await skillsAt(here)).toMatchObject([{ name: "tea", enabled: false }]));
    await here.send("DELETE", `/api/skills/${skill.id}`);
    await soon(async () => expect(await skillsAt(there)).toEqual([]));

    const character = await here.post<{ id: string }>("/api/characters", { name: "Mei" });
    const id = await session();
    await here.send("PUT", `/api/sessions/${id}/bind-character`, { body: { character_id: character.id } });
    const nameAt = async (api: Client) => (await api.get<{ sender_name: string }>(`/api/sessions/${id}`)).sender_name;
    expect([await nameAt(here), await nameAt(there)]).toEqual(["Mei", "Mei"]);
    await here.send("PUT", `/api/characters/${character.id}`, { body: { name: "Lin" } });
    await soon(async () => expect(await nameAt(there)).toBe("Lin"));
  });

  test("an entry of a world book comes up at both nodes once one has it, and at none once one has removed it", async () => {
    const matchesAt = async (api: Client) => {
      const asked = { message: "I walk into the tavern" };
      return (await api.post<{ matches: { content: string }[] }>("/api/world-books/test-match", asked)).matches.length;
    };
    expect([await matchesAt(here), await matchesAt(there)]).toEqual([0, 0]);
    const entries = [{ keywords: ["tavern"], content: "It is warm inside." }];
    const book = await here.post<{ id: string }>("/api/world-books", { name: "Town", entries });
    await soon(async () => expect(await matchesAt(there)).toBe(1));
    const path = `/api/world-books/${book.id}`;
    const added = await there.post<{ id: string }>(`${path}/entries`, { keywords: ["walk"], content: "It is late." });
    await soon(async () => expect(await matchesAt(here)).toBe(2));
    await here.send("DELETE", `${path}/entries/${added.id}`);
    await soon(async () => expect(await matchesAt(there)).toBe(1));
    await there.send("DELETE", path);
    await soon(async () => expect(await matchesAt(here)).toBe(0));
  });

  test("another MCP server that one node is told of both connect, and both leave it", async () => {
    await using remote = await startMcpHttpServer();
    const entry = { name: "Weather", transport: "streamable-http", url: remote.address, auto_connect: true };
    const { id } = await here.post<{ id: string }>("/api/mcp-servers", entry);
    const connectedAt = async (api: Client) => {
      const { items } = await api.get<{ items: { id: string; connected: boolean }[] }>("/api/mcp-servers");
      return items.find((one) => one.id === id)?.connected;
    };
    await soon(async () => expect(await connectedAt(there)).toBe(true));
    await there.send("PUT", `/api/mcp-servers/${id}`, { body: { enabled: false } });
    await soon(async () => expect(await connectedAt(here)).toBe(false));
    await there.send("PUT", `/api/mcp-servers/${id}`, { body: { enabled: true } });
    await soon(async () => expect(await connectedAt(here)).toBe(true));
    await here.send("DELETE", `/api/mcp-servers/${id}`);
    await soon(async () => expect(await connectedAt(there)).toBeUndefined());
  });

  test("what a model is offered follows the configuration, wherever that is changed", async () => {
    const id = await session();
    const isOffered = async () => {
      await there.post(`/api/sessions/${id}/chat`, { content: "Hi" });
      return JSON.stringify(model.requests.at(-1)?.body).includes("save_to_memory");
    };
    const config = (enable_memory: boolean) => here.send("PUT", "/api/ai-config", { body: { enable_memory } });
    expect(await isOffered()).toBe(true);
    await config(false);
    await soon(async () => expect(await isOffered()).toBe(false));
    await config(true);
    await soon(async () => expect(await isOffered()).toBe(true));
  });

  test("who fails to sign in at both nodes by turns fails as often as at one, and a key is used as often", async () => {
    const tryAt = (api: Client) =>
      fetch(new URL("/api/login", api.address), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username: "nobody", password: "wrong" }),
      });
    const tries = await Promise.all([here, there, here, there, here, there, here, there].map(tryAt));
    expect(tries.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);

    const draft = { name: "slow", scopes: ["read"], expires_at: null, rate_limit_per_minute: 4 };
    const { secret } = await here.post<{ secret: string }>("/api/api-keys", draft);
    const useAt = (api: Client) =>
      fetch(new URL("/api/skills", api.address), { headers: { authorization: `Bearer ${secret}` } });
    await soon(async () => expect((await useAt(there)).status).toBe(200));
    const uses = await Promise.all([here, there, here, there, here, there].map(useAt));
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
  });

  test("what is asked of both nodes under one key is done once", async () => {
    const same = [here, there.as(here.token)];
    const ask = (api: Client) =>
      api.send("POST", "/api/skills", {
        body: { name: "once", description: "Made once." },
        headers: { "idempotency-key": "once" },
      });
    const answers = await Promise.all([...same, ...same].map(ask));
    const made = answers.filter(({ status }) => status === 200);
    expect(made.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const ids = new Set(made.map(({ json }) => (json?.data as { id: string } | undefined)?.id));
    expect(ids.size).toBe(1);
    const refused = answers.filter(({ status }) => status === 409).map(({ json }) => json?.error);
    expect(new Set(refused)).toEqual(
      new Set(refused.length > 0 ? ["the first request with this key is still running"] : []),
    );
  });

  test("the worker that is stopped at one node stops at the other, and goes on at both", async () => {
    const workerAt = async (api: Client) =>
      (await api.get<{ worker_state: string }>("/api/gateway/queue/status")).worker_state;
    await here.post("/api/gateway/worker/stop", {});
    await soon(async () => expect(await workerAt(there)).toBe("stopped"));
    await there.post("/api/gateway/worker/start", {});
    await soon(async () => expect([await workerAt(here), await workerAt(there)]).toEqual(["running", "running"]));
  });

  test("a connection is held by one node, and by the other one when that is gone", async () => {
    expect([await statusAt(here), await statusAt(there)]).toEqual([true, false]);
    await channels[0].say("team-1", "Hi");
    await soon(() => expect(channels[0].sent).toHaveLength(1));
    await one[Symbol.asyncDispose]();
    await soon(async () => expect(await statusAt(there)).toBe(true));
    await channels[1].say("team-1", "Hi again");
    await soon(() => expect(channels[1].sent).toHaveLength(1));
    one = await start(0);
    here = await one.signIn();
    expect([await statusAt(here), await statusAt(there)]).toEqual([false, true]);
  }, 60_000);
});
