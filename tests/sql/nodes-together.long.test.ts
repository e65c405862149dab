import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Joi from "@hapi/joi";
import {
  Channels,
  Databases,
  definePlugin,
  fixedStatement,
  Gateway,
  Jobs,
  LogFeed,
  type Logger,
  type Message,
  ToolGuard,
  Tools,
  tool,
} from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import { type ModelServer, startModelServer, startReceiver } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { openSocket } from "../harness/http/socket.ts";
import { startMcpHttpServer } from "../harness/mcp/mcp-http-server.ts";
import { startOAuthMcpServer } from "../harness/mcp/oauth-mcp-server.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { RECORD_KINDS } from "../harness/record-kinds.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

const programs = findPostgresPrograms();

/** Loggers of the nodes, in order of their start. */
const bells: Logger[] = [];
const bell = definePlugin({
  id: "bell",
  register({ contribute, log }) {
    bells.push(log);
    contribute(Tools, () =>
      tool({
        name: "ring_bell",
        purpose: "Rings the bell.",
        args: Joi.object({}),
        scope: "gateway.read",
        risk: "action",
        audience: ["ai"],
        run: async () => "rung",
      }),
    );
  },
});

/** Returns a unique name, also when a test is retried. */
function untaken(name: string): string {
  return `${name}${crypto.randomUUID().slice(0, 8)}`;
}

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
  let mcpPorts: readonly number[];
  let [here, there] = [] as unknown as [Client, Client];

  const start = (at: 0 | 1) =>
    startParley({
      ...{ root, server: server.folder, plugins: [channels[at].plugin, bell] },
      config: `nodes = true\n[mcp]\nenabled = true\ntransport = streamable-http\nport = ${mcpPorts[at]}\n`,
    });
  const session = async () => (await here.post<{ id: string }>("/api/sessions", {})).id;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    model = await startModelServer({
      answer({ body }) {
        const last = JSON.stringify(body.messages.at(-1));
        if (last.includes("wait")) return { kind: "hang" };
        return {
          kind: "text",
          text: last.includes("story") ? `Well. ${"A story ".repeat(30)}ends. Bye.` : "Hello there.",
        };
      },
    });
    mcpPorts = [await findFreePort(), await findFreePort()];
    one = await start(0);
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
    await eventually(async () => expect(await statusAt(here)).toBe(true));
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

  const statusOf = async (api: Client) => {
    type Status = { readonly connected: boolean; readonly held_elsewhere?: true };
    const { items } = await api.get<{ items: { id: string; status: Status }[] }>("/api/channels");
    return items.find(({ id }) => id === "fake")?.status ?? { connected: false };
  };
  const statusAt = async (api: Client) => {
    const { connected, held_elsewhere: isRemote } = await statusOf(api);
    return connected && !isRemote;
  };

  test("a message is answered by the owner of its conversation, whichever node received it, and both show the answer", async () => {
    const id = await session();
    const chat = (api: Client) => api.post<Answered>(`/api/sessions/${id}/chat`, { content: "Hi" });
    for (const api of [here, there, here]) expect((await chat(api)).replies[0]?.content).toBe("Hello there.");
    const { items } = await there.get<{ items: { role: string }[] }>(`/api/sessions/${id}/messages`);
    expect(items.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user", "assistant"]);
  });

  test("an MCP server of another node is recognised as this installation, and is not connected", async () => {
    const scopes = ["mcp"];
    const { secret } = await here.post<{ secret: string }>("/api/api-keys", { name: untaken("round about"), scopes });
    const self = untaken("self");
    await there.post("/api/mcp-servers", {
      ...{ id: self, name: self, transport: "streamable-http", url: `http://127.0.0.1:${mcpPorts[0]}/mcp` },
      headers_env: { Authorization: "ROUND_ABOUT_KEY" },
      secrets: { ROUND_ABOUT_KEY: `Bearer ${secret}` },
    });
    const { json } = await there.send("POST", `/api/mcp-servers/${self}/connect`, { body: {} });
    expect(json?.error).toContain("this is Parley itself");
  });

  test("a client of one node sees messages of another one", async () => {
    const id = await session();
    await here.post(`/api/sessions/${id}/chat`, { content: "Hi" });
    using socket = await openSocket(there);
    await socket.ask({ type: "join_session", session_id: id });
    await here.post(`/api/sessions/${id}/chat`, { content: "Again" });
    const end = await socket.next(({ type }) => type === "ai_stream_end");
    expect(end).toMatchObject({ finish_reason: "stop" });
    const chunks = socket.frames.filter(({ type }) => type === "ai_stream_chunk").map(({ chunk }) => chunk);
    expect(chunks.join("")).toBe("Hello there.");
  });

  test("a request that waits for its answer at either node gets it, once, without another delivery", async () => {
    await using receiver = await startReceiver();
    const config = { auth: { type: "none" }, reply_mode: "sync", outbound_url: receiver.address };
    const desk = untaken("desk");
    await here.post("/api/channels", { id: desk, name: desk, config });
    const hosts = [one.host, other.host];
    await eventually(() => expect(hosts.every((host) => host.get(Channels).link(desk))).toBe(true));
    const ask = (api: Client, id: string) =>
      api.send("POST", `/api/gateway/${desk}/webhook`, {
        token: "",
        body: { message_id: id, user_id: "u1", content: "Hi" },
      });
    for (const [at, api] of [here, there, here, there].entries())
      expect((await ask(api, `m${at}`)).json).toMatchObject({
        status: "built",
        data: { response_content: "Hello there." },
      });
    for (const host of hosts) await host.get(Gateway).idle();
    const posted = () => receiver.posts.map(({ body }) => body.content);
    expect(posted()).toEqual([]);

    // The node of the request failed before it stored whether it returned the answer.
    const gone = "insert into generic_waiting (id, session_id, trace_id, since_ms) values (?, ?, null, ?)";
    await one.host
      .get(Databases)
      .main.write([{ query: fixedStatement(gone, [untaken("gone"), sessionIdOf(desk, "u2"), Date.now()]) }]);
    await one.host.get(Gateway).accept({
      ...{ channelId: desk, sessionId: sessionIdOf(desk, "u2"), conversation: { id: "u2", isGroup: false } },
      ...{ kind: "message", sender: { id: "u2", name: "", isAdmin: false }, text: "Hi", attachments: [] },
      ...{ addressed: true, source: desk, raw: {} },
    });
    await receiver.received(1);
    for (const host of hosts) await host.get(Gateway).idle();
    expect(posted()).toEqual(["Hello there."]);
  });

  test("a turn can be stopped from another node", async () => {
    const id = await session();
    await here.post(`/api/sessions/${id}/chat`, { content: "Hi" });
    const before = model.requests.length;
    const asked = here.post<Answered>(`/api/sessions/${id}/chat`, { content: "wait for it" });
    await eventually(() => expect(model.requests.length).toBeGreaterThan(before));
    expect(await there.post("/api/stop", { session_id: id })).toMatchObject({ stopped: true });
    // Stopped before the model had written anything, so there is no reply.
    expect((await asked).replies).toEqual([]);
  });

  test("what a person writes to one node stops the answer that the other one is sending", async () => {
    const [channel] = channels;
    await here.put("/api/channels/fake", { config: { reply_style: "sentences", burst: "off" } });
    const place = { sessionId: "fake:private:9", conversation: { id: "9", isGroup: false } };
    const before = channel.sent.length;
    const listTexts = () => channel.sent.slice(before).map(({ text }) => text);
    const { traceId } = await channel.say("9", "tell a story", place);
    await eventually(() => expect(listTexts()).toEqual(["Well."]));
    await other.host.get(Gateway).accept({
      ...{ ...place, channelId: "fake", kind: "message", sender: { id: "7", name: "Eve", isAdmin: false } },
      ...{ text: "never mind", attachments: [], addressed: true, source: "fake" },
    });
    await eventually(() => expect(listTexts()).toEqual(["Well.", "Hello there."]));
    const path = `/api/sessions/${encodeURIComponent(place.sessionId)}/messages`;
    const { items } = await there.get<{ items: readonly Message[] }>(path);
    const answer = items.find(({ role, trace_id }) => role === "assistant" && trace_id === traceId);
    expect([answer?.content, answer?.metadata.unsaid]).toEqual(["Well.", expect.stringMatching(/^A story .*Bye\.$/)]);
    await here.put("/api/channels/fake", { config: { reply_style: "whole" } });
  });

  test.each(RECORD_KINDS)(
    "a record of $path created at one node can be changed and deleted at the other one with the next request",
    async ({ path, draft, id = "id", field }) => {
      for (const [maker, changer] of [
        [here, there],
        [there, here],
      ] as const) {
        const made = await maker.post<Readonly<Record<string, string>>>(path, draft(untaken("a")));
        const one = `${path}/${made[id]}`;
        if (field !== undefined) {
          const change = (node: Client, to: string, headers = {}) =>
            node.send("PUT", one, { body: { [field]: untaken(to) }, headers });
          const changed = await change(changer, "b");
          expect([changed.status, changed.text]).toEqual([200, expect.anything()]);
          // With the revision from the response of the other node.
          const again = await change(maker, "c", { "if-match": changed.headers.get("etag") });
          expect(again.status).toBe(200);
          const seen = { "if-match": again.headers.get("etag") };
          const answers = await Promise.all([here, there, here, there].map((node) => change(node, "d", seen)));
          expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
        }
        expect((await changer.send("DELETE", one)).status).toBe(200);
        expect((await maker.send("DELETE", one)).status).toBe(404);
      }
    },
  );

  test("settings have one revision at both nodes: a revision read at one can be changed at the other one, once", async () => {
    const revisionAt = async (api: Client) => (await api.get<{ revision: number }>("/api/settings")).revision;
    const change = (api: Client, name: string, revision: number) =>
      api.send("PUT", "/api/settings", { body: { web: { title: name } }, headers: { "if-match": `"${revision}"` } });
    const before = await revisionAt(there);
    for (const name of ["one", "two"]) await here.put("/api/settings", { web: { title: name } });
    const seen = await revisionAt(here);
    expect((await change(there, "stale", before)).status).toBe(409);
    expect((await change(there, "three", seen)).status).toBe(200);
    expect((await change(here, "stale", seen)).status).toBe(409);
    await eventually(async () => expect(await revisionAt(here)).toBe(await revisionAt(there)));
    expect(await here.get("/api/settings")).toMatchObject({ web: { title: "three" } });
  });

  test("concurrent settings changes at both nodes are all stored", async () => {
    const names = Array.from({ length: 24 }, (_, at) => `name-${at}`);
    const put = (name: string, at: number) =>
      (at % 2 ? here : there).send("PUT", "/api/settings", {
        body: { log: { levels: { [name]: at % 3 ? "debug" : "info" } } },
      });
    const answers = await Promise.all(names.map(put));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const storedOn = async (api: Client) =>
      Object.keys((await api.get<{ log: { levels: object } }>("/api/settings")).log.levels).sort();
    for (const api of [here, there])
      await eventually(async () => expect(await storedOn(api)).toEqual(names.toSorted()));
  });

  test("a tool created, disabled or deleted at one node is so at the other one", async () => {
    const list = async (api: Client) =>
      (await api.get<{ items: { id: string; name: string; enabled: boolean }[] }>("/api/tools?limit=500")).items;
    const find = async (api: Client, name: string) => (await list(api)).find((tool) => tool.name === name);
    const made = await here.post<{ id: string; name: string }>("/api/tools", {
      name: "say_tea",
      description: "Says what there is to drink.",
      parameters: { type: "object", properties: {} },
      implementation: { type: "static", result: "tea" },
    });
    await eventually(async () => expect(await find(there, "say_tea")).toMatchObject({ enabled: true }));
    await there.post(`/api/tools/${made.id}/toggle`, { enabled: false });
    await eventually(async () => expect(await find(here, "say_tea")).toMatchObject({ enabled: false }));
    await here.send("DELETE", `/api/tools/${made.id}`);
    await eventually(async () => expect(await find(there, "say_tea")).toBeUndefined());
    const [built] = (await list(here)).filter(({ enabled }) => enabled);
    await here.post(`/api/tools/${built?.id}/toggle`, { enabled: false });
    await eventually(async () => expect(await find(there, String(built?.name))).toMatchObject({ enabled: false }));
  });

  test("changes of cached records reach the other node: personality, skills, characters", async () => {
    await there.get("/api/personality");
    await here.send("PUT", "/api/personality", { body: { name: "Another" } });
    await eventually(async () => expect(await there.get("/api/personality")).toMatchObject({ name: "Another" }));

    const skillsAt = async (api: Client) =>
      (await api.get<{ items: { name: string; enabled: boolean }[] }>("/api/skills")).items;
    const skill = await here.post<{ id: string }>("/api/skills", { name: "tea", description: "How tea is made." });
    await eventually(async () => expect(await skillsAt(there)).toMatchObject([{ name: "tea", enabled: true }]));
    await there.post(`/api/skills/${skill.id}/toggle`, { enabled: false });
    await eventually(async () => expect(await skillsAt(here)).toMatchObject([{ name: "tea", enabled: false }]));
    await here.send("DELETE", `/api/skills/${skill.id}`);
    await eventually(async () => expect(await skillsAt(there)).toEqual([]));

    const character = await here.post<{ id: string }>("/api/characters", { name: "Mei" });
    const id = await session();
    await here.send("PUT", `/api/sessions/${id}/bind-character`, { body: { character_id: character.id } });
    const nameAt = async (api: Client) => (await api.get<{ sender_name: string }>(`/api/sessions/${id}`)).sender_name;
    expect([await nameAt(here), await nameAt(there)]).toEqual(["Mei", "Mei"]);
    await here.send("PUT", `/api/characters/${character.id}`, { body: { name: "Lin" } });
    await eventually(async () => expect(await nameAt(there)).toBe("Lin"));
  });

  test("an entry of a world book is activated at both nodes once one stores it, and at none once one deletes it", async () => {
    const matchesAt = async (api: Client) => {
      const asked = { message: "I walk into the tavern" };
      return (await api.post<{ matches: { content: string }[] }>("/api/world-books/test-match", asked)).matches.length;
    };
    expect([await matchesAt(here), await matchesAt(there)]).toEqual([0, 0]);
    const entries = [{ keywords: ["tavern"], content: "It is warm inside." }];
    const book = await here.post<{ id: string }>("/api/world-books", { name: "Town", entries });
    await eventually(async () => expect(await matchesAt(there)).toBe(1));
    const path = `/api/world-books/${book.id}`;
    const added = await there.post<{ id: string }>(`${path}/entries`, { keywords: ["walk"], content: "It is late." });
    await eventually(async () => expect(await matchesAt(here)).toBe(2));
    await here.send("DELETE", `${path}/entries/${added.id}`);
    await eventually(async () => expect(await matchesAt(there)).toBe(1));
    await there.send("DELETE", path);
    await eventually(async () => expect(await matchesAt(here)).toBe(0));
  });

  test("rules of the filter, their order, groups and time windows apply at both nodes", async () => {
    const path = "/api/message-filter";
    const messageOn = async (api: Client, content: string) =>
      (await api.post<{ content: string }>(`${path}/test`, { text: content })).content;
    const rule = (pattern: string, replacement: string, more: object = {}) =>
      here.post<{ id: string }>(path, { pattern, action: "replace", replacement, ...more });
    const wide = await rule("tea pot", "1");
    const narrow = await rule("tea", "2", { group: "drinks" });
    const never = await rule("cup", "3", { window: { until: "2020-01-01" } });
    await eventually(async () => expect(await messageOn(there, "tea pot, cup")).toBe("1, cup"));
    await there.post(`${path}/${narrow.id}/move`, { before: wide.id });
    await eventually(async () => expect(await messageOn(here, "tea pot, cup")).toBe("2 pot, cup"));
    await here.post(`${path}/groups/toggle`, { group: "drinks", enabled: false });
    await eventually(async () => expect(await messageOn(there, "tea pot, cup")).toBe("1, cup"));
    await there.put(`${path}/${never.id}`, { window: null });
    await eventually(async () => expect(await messageOn(here, "tea pot, cup")).toBe("1, 3"));
    for (const { id } of [wide, narrow, never]) await there.send("DELETE", `${path}/${id}`);
    await eventually(async () => expect(await messageOn(here, "tea pot, cup")).toBe("tea pot, cup"));
  });

  test("a plugin's log level set at one node applies at the other one", async () => {
    const notices: string[] = [];
    const unsubscribe = other.host.get(LogFeed).subscribe(({ source, message }) => {
      if (source === "bell") notices.push(message);
    });
    const isNotified = () => {
      const word = untaken("dong");
      bells.at(-1)?.debug(word);
      return notices.includes(word);
    };
    expect(isNotified()).toBe(false);
    await here.put("/api/settings", { log: { levels: { bell: "debug" } } });
    await eventually(() => expect(isNotified()).toBe(true));
    await there.put("/api/settings", { log: { levels: { bell: null } } });
    await eventually(() => expect(isNotified()).toBe(false));
    unsubscribe();
  });

  test("an MCP server added at one node is connected by both, and disconnected by both", async () => {
    await using remote = await startMcpHttpServer();
    const entry = { name: "Weather", transport: "streamable-http", url: remote.address, auto_connect: true };
    const { id } = await here.post<{ id: string }>("/api/mcp-servers", entry);
    const connectedAt = async (api: Client) => {
      const { items } = await api.get<{ items: { id: string; connected: boolean }[] }>("/api/mcp-servers");
      return items.find((one) => one.id === id)?.connected;
    };
    await eventually(async () => expect(await connectedAt(there)).toBe(true));
    await there.send("PUT", `/api/mcp-servers/${id}`, { body: { enabled: false } });
    await eventually(async () => expect(await connectedAt(here)).toBe(false));
    await there.send("PUT", `/api/mcp-servers/${id}`, { body: { enabled: true } });
    await eventually(async () => expect(await connectedAt(here)).toBe(true));
    await here.send("DELETE", `/api/mcp-servers/${id}`);
    await eventually(async () => expect(await connectedAt(there)).toBeUndefined());
  });

  test("of two nodes with rejected calls one renews the token, and the other uses the stored one", async () => {
    await using remote = await startOAuthMcpServer();
    const id = "renewed";
    await here.post("/api/mcp-servers", { id, name: id, transport: "streamable-http", url: remote.address });
    const begun = await here.post<{ authorization_url: string }>(`/api/mcp-servers/${id}/sign-in`, {});
    const page = await fetch(begun.authorization_url, { redirect: "manual" });
    expect((await fetch(page.headers.get("location") ?? "")).status).toBe(200);
    const nodes = [here, there];
    for (const api of nodes)
      await eventually(async () =>
        expect((await api.send("POST", `/api/mcp-servers/${id}/connect`, { body: {} })).status).toBe(200),
      );
    for (let round = 1; round <= 3; round += 1) {
      const gate = Promise.withResolvers<void>();
      remote.manners.tokensAfter = gate.promise;
      const before = remote.rejected();
      remote.expire();
      const calls = nodes.map((api) =>
        api.send("POST", `/api/mcp-servers/${id}/call`, { body: { tool: "look", confirm: true } }),
      );
      await eventually(() => expect(remote.rejected()).toBeGreaterThanOrEqual(before + 2));
      gate.resolve();
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
      expect(remote.forms.filter(({ grant_type }) => grant_type === "refresh_token")).toHaveLength(round);
    }
    for (const api of nodes) {
      const { items } = await api.get<{ items: { id: string; sign_in: string }[] }>("/api/mcp-servers");
      expect(items.find((one) => one.id === id)).toMatchObject({ sign_in: "signed_in" });
    }
    await here.send("DELETE", `/api/mcp-servers/${id}`);
  });

  test("the tools offered to a model follow the configuration, wherever it is changed", async () => {
    const id = await session();
    const isOffered = async () => {
      await there.post(`/api/sessions/${id}/chat`, { content: "Hi" });
      return JSON.stringify(model.requests.at(-1)?.body).includes("save_to_memory");
    };
    const config = (enable_memory: boolean) => here.send("PUT", "/api/ai-config", { body: { enable_memory } });
    expect(await isOffered()).toBe(true);
    await config(false);
    await eventually(async () => expect(await isOffered()).toBe(false));
    await config(true);
    await eventually(async () => expect(await isOffered()).toBe(true));
  });

  test("a login at one node is valid at the other one with the next request, and ends at both", async () => {
    for (let time = 0; time < 5; time += 1) {
      const mine = await one.signIn();
      const same = there.as(mine.token);
      expect((await same.send("GET", "/api/sessions")).status).toBe(200);
      await same.send("POST", "/api/logout", { body: {} });
      await eventually(async () => expect((await mine.send("GET", "/api/sessions")).status).toBe(401));
    }
  });

  test("an API key and a new account are known at the other node with the next request", async () => {
    for (let time = 0; time < 5; time += 1) {
      const draft = { name: untaken("next"), scopes: ["read"] };
      const { id, secret } = await here.post<{ id: string; secret: string }>("/api/api-keys", draft);
      expect((await there.as(secret).send("GET", "/api/skills")).status).toBe(200);
      expect((await there.send("PUT", `/api/api-keys/${id}`, { body: { enabled: false } })).status).toBe(200);
      await eventually(async () => expect((await here.as(secret).send("GET", "/api/skills")).status).toBe(401));

      const account = { name: untaken("next"), role: "operator" };
      const { password } = await here.post<{ password: string }>("/api/accounts", account);
      const { token } = await here.post<{ token: string }>("/api/login", { username: account.name, password });
      expect((await there.as(token).send("GET", "/api/skills")).status).toBe(200);
    }
  });

  test("failed logins at both nodes are counted together, and so is the use of a key", async () => {
    const tryAt = (api: Client) =>
      fetch(new URL("/api/login", api.address), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username: "nobody", password: "wrong" }),
      });
    const tries = await Promise.all([here, there, here, there, here, there, here, there].map(tryAt));
    expect(tries.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);

    const draft = { name: untaken("slow"), scopes: ["read"], expires_at: null, rate_limit_per_minute: 4 };
    const { secret } = await here.post<{ secret: string }>("/api/api-keys", draft);
    const useAt = (api: Client) =>
      fetch(new URL("/api/skills", api.address), { headers: { authorization: `Bearer ${secret}` } });
    await eventually(async () => expect((await useAt(there)).status).toBe(200));
    const uses = await Promise.all([here, there, here, there, here, there].map(useAt));
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
  });

  test("tool calls at both nodes are counted together, and so are requests of an MCP client", async () => {
    const guards = [one.host.get(ToolGuard), other.host.get(ToolGuard)];
    const caller = { id: "by both", audience: "ai", confirms: false } as const;
    const signal = new AbortController().signal;
    const context = { traceId: "t", callerId: caller.id, isConfirmed: false, signal, progress: () => {} };
    const call = (at: number) => guards[at]?.call("ring_bell", {}, caller, context);
    const called = await Promise.allSettled([0, 1, 0, 1, 0, 1].map(call));
    expect(called.filter(({ status }) => status === "fulfilled")).toHaveLength(3);

    const { secret } = await here.post<{ secret: string }>("/api/api-keys", { name: "busy", scopes: ["mcp"] });
    const ask = async (_: unknown, at: number) => {
      const headers = {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      };
      const answer = await fetch(`http://127.0.0.1:${mcpPorts[at % 2]}/mcp`, { method: "POST", headers, body: "{}" });
      return answer.status;
    };
    await eventually(async () => expect(await ask(undefined, 1)).toBe(400));
    const statuses = await Promise.all(Array.from({ length: 640 }, ask));
    const passed = statuses.filter((status) => status === 400).length;
    expect([...new Set(statuses)].sort()).toEqual([400, 429]);
    expect(passed).toBeLessThanOrEqual(600);
    // Each node may have reserved a twentieth without using it, and another one when it was a second late.
    expect(passed).toBeGreaterThanOrEqual(480);
  });

  test("wrong secrets at both nodes are counted together: webhooks, shared pages, client registrations", async () => {
    const nodes = [here, there, here, there, here, there, here, there, here, there, here, there];
    const statusesOf = async (ask: (api: Client) => Promise<{ status: number }>, nodes: readonly Client[]) => {
      const statuses: number[] = [];
      for (const api of nodes) statuses.push((await ask(api)).status);
      return statuses;
    };
    const nothing = { token: "" };

    const config = { auth: { type: "static", secret_env: "SHUT_WORD" } };
    const shut = untaken("shut");
    await here.post("/api/channels", { id: shut, name: shut, config, secrets: { SHUT_WORD: "sesame-sesame" } });
    await eventually(() => expect(other.host.get(Channels).link(shut)).toBeDefined());
    const knock = (api: Client, secret: string) =>
      api.send("POST", `/api/gateway/${shut}/webhook`, {
        ...nothing,
        body: { user_id: "u1", content: "" },
        headers: { "x-svc-token": secret },
      });
    const guesses = await statusesOf((api) => knock(api, "wrong"), [...nodes, ...nodes]);
    expect(guesses).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429, 429, 429]);
    for (const api of [here, there]) expect([401, 429]).not.toContain((await knock(api, "sesame-sesame")).status);

    const id = await session();
    await here.post(`/api/sessions/${id}/chat`, { content: "Hi" });
    const page = await here.post<{ public_id: string }>(`/api/sessions/${id}/public`, { password: "open-sesame-1" });
    const path = `/api/public/${page.public_id}`;
    const read = (api: Client, password: string) =>
      api.send("GET", path, { ...nothing, headers: { "x-share-password": password } });
    expect((await statusesOf((api) => read(api, "open-sesame-1"), nodes)).every((status) => status === 200)).toBe(true);
    const tries = await statusesOf((api) => read(api, "wrong"), nodes.slice(0, 7));
    expect(tries).toEqual([401, 401, 401, 401, 401, 429, 429]);

    const program = { client_name: "p", redirect_uris: ["http://127.0.0.1:9/back"] };
    const registered = await statusesOf((api) => api.send("POST", "/register", { ...nothing, body: program }), nodes);
    expect(registered).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429]);
  });

  test("a node reports its own metrics at /metrics, and the same installation metrics as the other one", async () => {
    const linesAt = async (api: Client) => (await api.send("GET", "/metrics")).text.split("\n");
    const valueIn = (lines: readonly string[], name: string) =>
      Number(
        lines
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")
          .at(-1) ?? 0,
      );
    const sum = async (name: string) => valueIn(await linesAt(here), name) + valueIn(await linesAt(there), name);
    const ids = [await session(), await session(), await session()];
    const own = ["parley_turns_total", "parley_turn_seconds_count", "parley_ack_seconds_count"];
    const before = await Promise.all(own.map(sum));
    const done = await sum('parley_items{state="done"}');
    for (const api of [here, there])
      for (const id of ids) await api.post(`/api/sessions/${id}/chat`, { content: "Hi" });
    await eventually(async () => expect(await Promise.all(own.map(sum))).toEqual(before.map((count) => count + 6)));

    const { jobId } = await one.host.get(Jobs).add("jobs.prune", {}, { runAt: Date.now() + 3_600_000 });
    // Each node reports all six, so the sum is twelve.
    await eventually(async () => expect(await sum('parley_items{state="done"}')).toBe(done + 12));
    const shared = (lines: readonly string[]) => {
      const names = lines.flatMap((line) => /^# HELP (\S+) .*use max, not sum\.$/.exec(line)?.[1] ?? []);
      return lines.filter((line) => names.includes(/^[a-z_]+/.exec(line)?.[0] ?? "") && !SLIDES.test(line));
    };
    await eventually(async () => {
      const [mine, others] = [shared(await linesAt(here)), shared(await linesAt(there))];
      expect(mine.toSorted()).toEqual(others.toSorted());
      expect(mine).toContain('parley_jobs_waiting{kind="jobs.prune"} 1');
      const { status_breakdown: items } = await there.get<Queue>("/api/gateway/queue/status");
      expect(valueIn(mine, 'parley_items{state="done"}')).toBe(items.completed);
    });
    await other.host.get(Jobs).cancel(jobId);
  });

  test("the last hour is that of the installation, whichever node is queried", async () => {
    type Minute = { readonly messages_in: number; readonly turns: number; readonly answers_out: number };
    const sums = async (api: Client) => {
      const { items } = await api.get<{ items: Minute[] }>("/api/gateway/minutes");
      expect(items).toHaveLength(60);
      const sum = (of: keyof Minute) => items.reduce((all, minute) => all + minute[of], 0);
      return [sum("messages_in"), sum("turns"), sum("answers_out")];
    };
    const ids = [await session(), await session(), await session()];
    await eventually(async () => expect(await sums(here)).toEqual(await sums(there)));
    const before = await sums(here);
    for (const api of [here, there])
      for (const id of ids) await api.post(`/api/sessions/${id}/chat`, { content: "Hi" });
    const after = before.map((count) => count + 6);
    for (const api of [here, there]) await eventually(async () => expect(await sums(api)).toEqual(after));
  });

  test("requests to both nodes with one idempotency key are executed once", async () => {
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
    const rejected = answers.filter(({ status }) => status === 409).map(({ json }) => json?.error);
    expect(new Set(rejected)).toEqual(
      new Set(rejected.length > 0 ? ["the first request with this key is still running"] : []),
    );
  });

  test.each(NAMED)("of two %s of one name created at both nodes at once one succeeds", async (_what, path, body) => {
    for (const name of ["first", "second", "third"].map(untaken)) {
      const make = (api: Client) => api.send("POST", path, { body: body(name) });
      const made = await Promise.all([make(here), make(there)]);
      const [done, rejected] = made.toSorted((a, b) => a.status - b.status);
      expect(done?.json, done?.text).toMatchObject({ success: true });
      expect(rejected?.json, rejected?.text).toMatchObject({ success: false, code: "conflict" });
    }
  });

  test("stopping the worker at one node stops it at the other, and it restarts at both", async () => {
    const workerAt = async (api: Client) =>
      (await api.get<{ worker_state: string }>("/api/gateway/queue/status")).worker_state;
    await here.post("/api/gateway/worker/stop", {});
    await eventually(async () => expect(await workerAt(there)).toBe("stopped"));
    await there.post("/api/gateway/worker/start", {});
    await eventually(async () => expect([await workerAt(here), await workerAt(there)]).toEqual(["running", "running"]));
  });

  test("a connection is owned by one node, and by the other one when that is gone", async () => {
    const connected = () => Promise.all([statusAt(here), statusAt(there)]);
    const expectOneConnected = async () => expect((await connected()).filter(Boolean)).toHaveLength(1);
    await eventually(expectOneConnected);
    // Every node reports the state.
    await eventually(async () =>
      expect([await statusOf(here), await statusOf(there)]).toMatchObject([{ connected: true }, { connected: true }]),
    );
    // The owner depends on the other partitions of the nodes.
    const holder = (await statusAt(here)) ? 0 : 1;
    const next = holder === 0 ? 1 : 0;
    const answered = async (node: 0 | 1, text: string) => {
      const before = channels[node].sent.length;
      await channels[node].say("team-1", text);
      await eventually(() => expect(channels[node].sent).toHaveLength(before + 1));
    };
    await answered(holder, "Hi");
    const countedAt = async (api: Client) => {
      const { items } = await api.get<{ items: { messages_in: number }[] }>("/api/gateway/minutes");
      return items.reduce((all, { messages_in }) => all + messages_in, 0);
    };
    const counted = await countedAt(holder === 0 ? here : there);
    await (holder === 0 ? one : other)[Symbol.asyncDispose]();
    // Its last counts remain.
    expect(await countedAt(next === 0 ? here : there)).toBeGreaterThanOrEqual(counted);
    await eventually(async () => expect(await statusAt(next === 0 ? here : there)).toBe(true));
    await answered(next, "Hi again");
    // A node that joins is as idle as the existing one.
    const workerAt = async (api: Client) =>
      (await api.get<{ worker_state: string }>("/api/gateway/queue/status")).worker_state;
    await (next === 0 ? here : there).post("/api/gateway/worker/stop", {});
    const again = await start(holder);
    const api = await again.signIn();
    expect(await workerAt(api)).toBe("stopped");
    await api.post("/api/gateway/worker/start", {});
    if (holder === 0) [one, here] = [again, await again.signIn()];
    else [other, there] = [again, await again.signIn()];
    await eventually(expectOneConnected);
  }, 60_000);
});

interface Queue {
  readonly status_breakdown: { readonly completed: number };
}
/** Metrics whose value changes with every scrape. */
const SLIDES = /^parley_(database_bytes|backup_age_seconds|jobs_overdue_seconds) /;

type Body = (name: string) => object;
const NAMED: readonly (readonly [what: string, path: string, body: Body])[] = [
  ["API keys", "/api/api-keys", (name) => ({ name, scopes: ["read"] })],
  ["accounts", "/api/accounts", (name) => ({ name, role: "operator" })],
  ["skills", "/api/skills", (name) => ({ name, skill_md: `# ${name}` })],
  ["tools", "/api/tools", (name) => ({ name, description: name, implementation: { type: "static", result: name } })],
  ["channels", "/api/channels", (id) => ({ id, name: id })],
  ["MCP servers", "/api/mcp-servers", (id) => ({ ...MCP, id, name: id })],
  ["presets", "/api/personality/custom-presets", (name) => ({ id: `preset_${name.padEnd(20, "0")}`, name })],
  ["world books", "/api/world-books", (name) => ({ id: `book_${name.padEnd(20, "0")}`, name })],
  ["linked people", "/api/person-links", (name) => ({ name, target_id: `web:user:${name}`, same_as: "web:user:ann" })],
  ["folders", "/api/workspace/shared/folders", (name) => ({ name })],
];
const MCP = { transport: "streamable-http", url: "http://127.0.0.1:9/mcp", auto_connect: false };
