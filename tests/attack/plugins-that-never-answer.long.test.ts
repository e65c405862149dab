import {
  type ChannelAdapter,
  ChannelAdapters,
  type ChannelIo,
  ChatCommands,
  definePlugin,
  type Finding,
  Gateway,
  JobKinds,
  Jobs,
  Joi,
  jobKind,
  PromptSources,
  RouteTables,
  route,
  ToolSources,
  Tools,
  type Turn,
  TurnStages,
  tool,
} from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const neverSettle = () => new Promise<never>(() => {});
/** The smallest permitted turn timeout. */
const TURN_S = 10;
const WITHIN_MS = 60_000;

/** Messages that make a part of the plugin hang. */
const HANGS = { stage: "hang the stage", source: "hang the source", send: "hang the send" };
const hangAt = async <T>({ text }: Turn, word: string, otherwise: T) => (text === word ? neverSettle() : otherwise);

let talk: ChannelIo | undefined;
const sent: string[] = [];
/** An adapter that confirms every message except those with this word, whose send never settles. */
const silentAdapter: ChannelAdapter = {
  type: "silent",
  transports: ["bridge"],
  capabilities: {},
  settings: Joi.object({}),
  idempotency: "none",
  sendTimeoutMs: 200,
  async open(_channel, io) {
    talk = io;
    return {
      async send({ text }) {
        if (text.includes(HANGS.send)) return neverSettle();
        sent.push(text);
        return { quality: "confirmed" };
      },
      async [Symbol.asyncDispose]() {},
    };
  },
};
const say = async (text: string) =>
  talk?.accept({
    channelId: "quiet",
    sessionId: "quiet:group:team",
    conversation: { id: "team", isGroup: true },
    kind: "message",
    sender: { id: "7", name: "Eve", isAdmin: false },
    text,
    attachments: [],
    addressed: true,
    source: "quiet",
    platformMessageId: text,
    dedupeKey: text,
  });

/** Ignores abort signals and never settles. */
const silent = definePlugin({
  id: "silent",
  register({ contribute }) {
    contribute(TurnStages, () => ({
      id: "silent.stage",
      phase: "prepare" as const,
      run: (turn) => hangAt(turn, HANGS.stage, turn),
    }));
    contribute(PromptSources, () => ({
      id: "silent.source",
      priority: 1,
      place: "system" as const,
      collect: (turn) => hangAt(turn, HANGS.source, undefined),
    }));
    contribute(JobKinds, () =>
      jobKind({
        kind: "silent.job",
        titles: { en: "Never ends", zh: "永不结束" },
        schema: Joi.object({}),
        run: neverSettle,
      }),
    );
    contribute(RouteTables, () => [
      route({ method: "GET", path: "/api/silent", summary: "never answers", data: Joi.object({}), run: neverSettle }),
    ]);
    contribute(ChatCommands, () => ({
      name: "/never",
      usage: "/never",
      help: "",
      category: "test",
      adminOnly: false,
      run: neverSettle,
    }));
    for (const [name, timeoutMs] of [
      ["never", 200],
      ["never_by_default", undefined],
    ] as const) {
      contribute(Tools, () =>
        tool({
          name,
          purpose: "Never answers.",
          args: Joi.object({}),
          scope: "gateway.read",
          risk: "read",
          audience: ["ai"],
          ...(timeoutMs !== undefined && { timeoutMs }),
          run: neverSettle,
        }),
      );
    }
    const found = tool({
      name: "never_found",
      purpose: "Never answers.",
      args: Joi.object({}),
      scope: "gateway.read",
      risk: "read",
      audience: ["ai"],
      run: neverSettle,
    });
    contribute(ToolSources, () => ({ id: "silent.found", tools: () => [found] }));
    contribute(ChannelAdapters, () => silentAdapter);
  },
});

let parley: Parley;
let api: Client;
let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
  parley = await startParley({ plugins: [silent], logLevel: "warn" });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", {
    name: "scripted",
    model: "scripted",
    base_url: model.baseUrl,
    api_key: "sk-test",
    supports_tools: true,
  });
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.put("/api/settings", { chat: { turn_timeout_s: TURN_S } });
}, WITHIN_MS);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const createSession = async () => (await api.post<{ id: string }>("/api/sessions", {})).id;
const chat = (id: string, content: string) => api.send("POST", `/api/sessions/${id}/chat`, { body: { content } });

test("a tool that never answers times out, and the model continues with that", async () => {
  model.script.push({ kind: "tool", name: "never", args: {} }, { kind: "text", text: "it did not answer" });
  const answer = await chat(await createSession(), "ask it");
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("it did not answer")]);
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("never took longer than 0.2 s");
});

test("a command or a slow tool that never answers fails only its turn: others are answered meanwhile, its conversation afterwards", {
  timeout: WITHIN_MS,
}, async () => {
  const begun = performance.now();
  const [first, second] = [await createSession(), await createSession()];
  model.script.push({ kind: "tool", name: "never_by_default", args: {} });
  const reached = model.nextRequest();
  const asked = [chat(first, "ask the other one")];
  await reached;
  asked.push(chat(second, "/never"));
  expect((await chat(await createSession(), "meanwhile")).status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(TURN_S * 1_000);
  const ends = (await Promise.all(asked)).map(({ status, json }) => [status, json?.code]);
  expect(ends).toEqual(Array.from(asked, () => [504, "timed_out"]));
  for (const id of [first, second]) expect((await chat(id, "afterwards")).status).toBe(200);
  await parley.host.get(Gateway).idle();
});

test("a platform that never confirms an answer loses only that answer: the conversation continues", {
  timeout: WITHIN_MS,
}, async () => {
  await api.post("/api/channels", { id: "quiet", name: "Quiet", type: "silent" });
  await vi.waitFor(() => expect(talk).toBeDefined());
  model.script.push({ kind: "text", text: HANGS.send }, { kind: "text", text: "the second one" });
  await say("first");
  await say("second");
  await vi.waitFor(() => expect(sent).toEqual([expect.stringContaining("the second one")]), { timeout: 20_000 });
});

test("each call that never ends is reported with its plugin within 15 s, in the log and as a finding", {
  timeout: WITHIN_MS,
}, async () => {
  const begun = performance.now();
  const found = async () => {
    const { items } = await api.get<{ items: readonly Finding[] }>("/api/system/findings");
    return items.flatMap(({ key, parameters }) => (key === "plugin.unended" ? [String(parameters?.name)] : [])).sort();
  };
  model.script.push({ kind: "tool", name: "never_found", args: {} });
  const reached = model.nextRequest();
  const hanging: Promise<unknown>[] = [chat(await createSession(), "ask the found one")];
  await reached;
  model.script.push({ kind: "text", text: HANGS.send });
  const answered = model.nextRequest();
  await say("third");
  await answered;
  hanging.push(
    chat(await createSession(), "/never"),
    chat(await createSession(), HANGS.stage),
    chat(await createSession(), HANGS.source),
    api.send("GET", "/api/silent"),
    parley.host.get(Jobs).add("silent.job", {}),
  );
  const all = [
    "channel type 'silent'",
    "command '/never'",
    "job kind 'silent.job'",
    "prompt source 'silent.source'",
    "row 'GET /api/silent'",
    "stage 'silent.stage'",
    "tool 'never_found'",
  ];
  await vi.waitFor(async () => expect(await found()).toEqual(expect.arrayContaining(all)), {
    timeout: 15_000,
    interval: 500,
  });
  expect(performance.now() - begun).toBeLessThan(15_000);
  const lines = all.map((name) => `${name} of plugin 'silent' has not ended after 10 s`);
  const logged = async () => {
    const { items } = await api.get<{ items: readonly { message: string }[] }>("/api/logs?q=has%20not%20ended");
    return items.map(({ message }) => message);
  };
  await vi.waitFor(async () => expect(await logged()).toEqual(expect.arrayContaining(lines)), { timeout: 4_000 });
  await Promise.allSettled(hanging);
});
