import { Jobs, newId } from "@parley/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import type { Parley } from "../harness/parley.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

interface Hit {
  readonly id: string;
  readonly session_id: string;
  readonly direction: string;
  readonly blocked: boolean;
  readonly rules: readonly string[];
  readonly text: string | null;
  readonly created_at: string;
}
type Hits = { readonly items: readonly Hit[]; readonly total: number };

let talk: ParleyWithModel;
let models: ParleyWithModel["models"];
let fake: FakeChannel;
let parley: Parley;
let api: Client;
let session: string;

beforeAll(async () => {
  fake = createFakeChannel();
  talk = await startParleyWithModel({ plugins: [fake.plugin] });
  ({ models, parley, api } = talk);
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
});

afterAll(() => talk?.[Symbol.asyncDispose]());

beforeEach(async () => {
  await api.send("DELETE", "/api/message-filter/hits");
  session = (await api.post<{ id: string }>("/api/sessions", {})).id;
});

const chat = (content: string) => api.post(`/api/sessions/${session}/chat`, { content });
const hits = (query = "", by = api) => by.get<Hits>(`/api/message-filter/hits${query}`);
/** Creates a rule with a pattern that no other test uses. */
async function ruleFor(more: object = {}) {
  const word = newId("word");
  const { id } = await api.post<{ id: string }>("/api/message-filter", { pattern: word, ...more });
  return { id, word };
}

describe("a hit of the filter", () => {
  test("is stored with its message, author, place and rule; readers see it without the text", async () => {
    const strips = await ruleFor();
    const blocks = await ruleFor({ action: "recall" });
    await chat(`a ${strips.word} day`);
    await chat(`the ${blocks.word}`);
    const stored = await hits();
    expect(stored.items).toMatchObject([
      { session_id: session, channel: "web", direction: "user", blocked: true, rules: [blocks.id] },
      { session_id: session, blocked: false, rules: [strips.id], text: `a ${strips.word} day` },
    ]);
    const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "looks", scopes: ["read"] });
    expect((await hits("", api.as(secret))).items.map(({ text }) => text)).toEqual([null, null]);
  });

  test("is filtered by rule, conversation, time, and whether the message was blocked", async () => {
    const one = await ruleFor();
    const other = await ruleFor({ action: "recall" });
    await chat(`1 ${one.word}`);
    await chat(`2 ${other.word}`);
    const [last, first] = (await hits()).items;
    expect((await hits(`?rule=${one.id}`)).items).toEqual([first]);
    expect((await hits(`?rule=${one.id.toUpperCase().slice(0, -1)}`)).total).toBe(0);
    expect((await hits("?blocked=true")).items).toEqual([last]);
    expect((await hits(`?session_id=${session}`)).total).toBe(2);
    expect((await hits("?session_id=sess_other")).total).toBe(0);
    expect((await hits("?since=2999-01-01T00:00:00Z")).total).toBe(0);
    expect((await hits(`?until=${last?.created_at}&since=${last?.created_at}`)).items).toContainEqual(last);
  });

  test("is recorded for answers of the AI, too", async () => {
    const { id, word } = await ruleFor({ action: "recall", filter_target: "ai" });
    models.script.push({ kind: "text", text: `well, ${word}` });
    await chat("tell me");
    expect((await hits()).items).toMatchObject([
      { direction: "ai", blocked: true, rules: [id], text: `well, ${word}`, sender: "" },
    ]);
  });

  test("contains the beginning of a long text only", async () => {
    const { word } = await ruleFor();
    await chat(`${word}${"x".repeat(5_000)}`);
    const [hit] = (await hits()).items;
    expect(hit?.text).toHaveLength(500);
    expect(hit?.text?.endsWith("…")).toBe(true);
    expect(hit?.text?.startsWith(word)).toBe(true);
  });

  test("is deleted with its conversation", async () => {
    const { word } = await ruleFor();
    await chat(word);
    expect((await hits()).total).toBe(1);
    await api.send("DELETE", `/api/sessions/${session}`);
    expect((await hits()).total).toBe(0);
  });

  test("is retained for the configured time and number", async () => {
    const { word } = await ruleFor();
    for (const at of ["1", "2", "3"]) await chat(`${at} ${word}`);
    const runCleanup = async () => {
      const { jobId } = await parley.host.get(Jobs).add("filter.prune", {});
      await eventually(async () => expect(await api.get(`/api/jobs/${jobId}`)).toMatchObject({ status: "done" }));
    };
    await api.put("/api/settings", { filter: { history_most: 2 } });
    await runCleanup();
    expect((await hits()).items.map(({ text }) => text?.slice(0, 1))).toEqual(["3", "2"]);
    await api.put("/api/settings", { filter: { history_most: 0 } });
    await chat(word);
    await runCleanup();
    expect((await hits()).total).toBe(0);
    await api.put("/api/settings", { filter: { history_most: 5_000 } });
  });
});

describe("the sender of a blocked message", () => {
  test("on a channel gets no notice by default, and the operator's text if there is one", async () => {
    const { word } = await ruleFor({ action: "recall" });
    const listSent = () => fake.sent.map(({ text, conversation }) => [conversation.id, text]);
    await fake.say("team-quiet", `a ${word}`);
    await eventually(async () => expect((await hits()).total).toBe(1));
    await api.put("/api/settings", { filter: { notice: "Please mind the house rules." } });
    await fake.say("team-told", `a ${word}`);
    await fake.say("team-overheard", `a ${word}`, { addressed: false });
    await eventually(() => expect(listSent()).toEqual([["team-told", "Please mind the house rules."]]));
    await eventually(async () => expect((await hits()).total).toBe(3));
    expect(listSent()).toHaveLength(1);
  });

  test("in the console gets the operator's text instead of the service's", async () => {
    const { word } = await ruleFor({ action: "recall" });
    await api.put("/api/settings", { filter: { notice: "Not here." } });
    const socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: session });
    const { json } = await api.send("POST", `/api/sessions/${session}/chat`, { body: { content: word } });
    expect(json).toMatchObject({ message: "Not here.", data: { blocked: true } });
    const frame = await socket.next(({ type }) => type === "message_filtered");
    expect(frame).toMatchObject({ direction: "user", message: "Not here." });
    socket[Symbol.dispose]();
    await api.put("/api/settings", { filter: { notice: "" } });
  });
});
