import { Gateway, type InboundMessage, type Message, type Session } from "@parley/core";
import type { List } from "@parley/core/http";
import { createGate, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const fake = createFakeChannel();
let service: ParleyWithModel;
let api: Client;
let anna: string;
let ben: string;
let cara: string;

beforeAll(async () => {
  service = await startParleyWithModel({ plugins: [fake.plugin] });
  api = service.api;
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  anna = await createCharacter("Anna Berg");
  ben = await createCharacter("Ben");
  cara = await createCharacter("Cara");
}, 60_000);
afterAll(() => service?.[Symbol.asyncDispose]());

const createCharacter = async (name: string) =>
  (await api.post<{ id: string }>("/api/characters", { name, description: `${name} is a sailor.` })).id;
async function openSession(more: object = {}): Promise<Session> {
  const { id } = await api.post<Session>("/api/sessions", { character_ids: [anna, ben, cara], ...more });
  // A scripted answer is for the request that a test makes.
  return api.put<Session>(`/api/sessions/${id}`, { auto_state_interval: 0 });
}
const get = (id: string) => api.get<Session>(`/api/sessions/${id}`);
const listMessages = async (id: string) =>
  (await api.get<List<Message>>(`/api/sessions/${id}/messages?limit=100`)).items;

/** Says something and returns the answers. */
async function say(id: string, content: string): Promise<readonly Message[]> {
  return (await api.post<{ replies: readonly Message[] }>(`/api/sessions/${id}/chat`, { content })).replies;
}
const speakers = (replies: readonly Message[]) => replies.map(({ sender }) => sender);
/** Returns the messages of the last request for an answer. */
const getRequest = () => service.models.requests.at(-1)?.body.messages ?? [];
const getPrompt = () => JSON.stringify(getRequest());

test("a message is answered by the character that it names, else by the last speaker, else by the first", async () => {
  const { id, character_id, character_ids } = await openSession();
  expect({ character_id, character_ids }).toEqual({ character_id: anna, character_ids: [anna, ben, cara] });
  expect(speakers(await say(id, "Hello all"))).toEqual(["Anna Berg"]);
  expect(speakers(await say(id, "Cara, and you?"))).toEqual(["Cara"]);
  expect(speakers(await say(id, "Really?"))).toEqual(["Cara"]);
  expect(speakers(await say(id, "What does anna think?"))).toEqual(["Anna Berg"]);
  const answers = (await listMessages(id)).filter(({ role }) => role === "assistant");
  expect(answers.map((message) => message.character_id)).toEqual([anna, cara, cara, anna]);
});

test("a message that speaks to several is answered by each, one after the other", async () => {
  const { id } = await openSession();
  expect(speakers(await say(id, "Cara and Ben, who are you?"))).toEqual(["Cara"]);
  const listAnswers = async () => (await listMessages(id)).filter(({ role }) => role === "assistant");
  await eventually(async () => expect(speakers(await listAnswers())).toEqual(["Cara", "Ben"]));
  expect(getPrompt()).toContain("Ben is a sailor.");
  expect(getPrompt()).toContain("Cara and Ben, who are you?");
  expect((await listMessages(id)).filter(({ hidden }) => !hidden)).toHaveLength(3);
  await api.post(`/api/sessions/${id}/regenerate`, { message_id: (await listAnswers())[0]?.id });
  await eventually(async () => expect(speakers(await listAnswers())).toEqual(["Cara", "Ben"]));
  await say(id, "/undo");
  expect((await listAnswers()).filter(({ kind }) => kind === "normal")).toEqual([]);
});

test("who left the scene before their turn does not answer", async () => {
  const { id } = await openSession();
  const gate = createGate();
  service.models.script.push({ kind: "held", pieces: ["I am", " Ben."], gate });
  const saying = say(id, "Ben, Anna: who are you?");
  await eventually(() => expect(getPrompt()).toContain("Ben, Anna: who are you?"));
  await api.put(`/api/sessions/${id}/scene`, { present: [ben, cara] });
  gate.next();
  gate.next();
  await saying;
  const findJob = async () =>
    (await api.get<List<{ kind: string; status: string }>>("/api/jobs?kind=next_speaker&limit=1")).items[0];
  await eventually(async () => expect((await findJob())?.status).toBe("done"));
  expect(speakers((await listMessages(id)).filter(({ role }) => role === "assistant"))).toEqual(["Ben"]);
});

test("the lines of others are those of named people, and the prompt says who else is there", async () => {
  const { id } = await openSession();
  await say(id, "Ben, say hello");
  await say(id, "Cara, answer him");
  const [system, ...talk] = getRequest();
  expect(JSON.stringify(system)).toContain("Cara is a sailor.");
  expect(JSON.stringify(system)).not.toContain("Ben is a sailor.");
  expect(JSON.stringify(system)).toContain('Also here, as characters of their own: \\"Anna Berg\\", \\"Ben\\".');
  expect(talk.map(({ role }) => role)).not.toContain("assistant");
  expect(JSON.stringify(talk)).toContain("Ben: ");
  await say(id, "Ben, and you?");
  expect(getRequest().filter(({ role }) => role === "assistant")).toHaveLength(1);
});

test("in turn each answers after the other, and only who is present", async () => {
  const { id } = await openSession({ speaker_order: "round" });
  const answers = async (count: number) => {
    const names: string[] = [];
    for (let at = 0; at < count; at += 1) names.push(...speakers(await say(id, "and now?")));
    return names;
  };
  expect(await answers(4)).toEqual(["Anna Berg", "Ben", "Cara", "Anna Berg"]);
  await api.put(`/api/sessions/${id}/scene`, { present: [anna, cara] });
  expect(await answers(3)).toEqual(["Cara", "Anna Berg", "Cara"]);
});

test("by judge a model picks who answers, and without a usable answer the rule decides", async () => {
  let judgement = "";
  const judges = await startModelServer({
    answer: () => ({ kind: "text", text: JSON.stringify({ name: judgement }) }),
  });
  onTestFinished(() => judges[Symbol.asyncDispose]());
  const { id: model } = await api.post<{ id: string }>("/api/ai-models", {
    name: "gate",
    model: "gate",
    base_url: judges.baseUrl,
    purpose: "gate",
  });
  const { id } = await openSession({ speaker_order: "judge" });
  judgement = "Ben";
  expect(speakers(await say(id, "Who knows the stars?"))).toEqual(["Ben"]);
  judgement = "Nobody";
  expect(speakers(await say(id, "And who cooks?"))).toEqual(["Cara"]);
  await api.send("DELETE", `/api/ai-models/${model}`);
  expect(speakers(await say(id, "Ben cooks, does he?"))).toEqual(["Ben"]);
  expect(speakers(await say(id, "And who else?"))).toEqual(["Cara"]);
});

test("a character knows only the scenes in which it was present", async () => {
  const { id } = await openSession();
  await say(id, "everybody hears of the harbour");
  await api.put(`/api/sessions/${id}/scene`, { present: [anna, ben] });
  expect((await get(id)).scenes?.at(-1)?.present).toEqual([anna, ben]);
  await say(id, "Cara must not hear of the treasure");
  await api.put(`/api/sessions/${id}/scene`, { present: [anna, ben, cara] });
  await say(id, "Cara, what do you know?");
  expect(getPrompt()).toContain("the harbour");
  expect(getPrompt()).not.toContain("the treasure");
  await say(id, "Ben, what do you know?");
  expect(getPrompt()).toContain("the treasure");
});

test("who joins later has not heard what was said before, and who left keeps their lines", async () => {
  const { id } = await api.post<Session>("/api/sessions", { character_id: anna });
  await say(id, "a secret for Anna");
  const joined = await api.put<Session>(`/api/sessions/${id}`, { character_ids: [anna, ben] });
  expect(joined).toMatchObject({ character_id: anna, character_ids: [anna, ben] });
  await say(id, "Ben, welcome");
  expect(getPrompt()).not.toContain("a secret");
  await say(id, "Anna, tell us");
  expect(getPrompt()).toContain("a secret");
  await api.put(`/api/sessions/${id}`, { character_ids: [anna] });
  await say(id, "We are alone");
  expect(getRequest().filter(({ role }) => role === "assistant")).toHaveLength(2);
  expect(getPrompt()).toContain("Ben: ");
});

test("summaries are given to those who heard everything", async () => {
  const { id } = await openSession();
  await say(id, "everybody hears this");
  await api.put(`/api/sessions/${id}/scene`, { present: [anna, ben] });
  for (let at = 0; at < 8; at += 1) await say(id, `Ben, the treasure, part ${at}`);
  service.models.script.push({ kind: "text", text: "In short: the treasure." });
  await api.post(`/api/sessions/${id}/compress`, {});
  await api.put(`/api/sessions/${id}/scene`, { present: [anna, ben, cara] });
  await say(id, "Cara, what was it?");
  expect(getPrompt()).not.toContain("the treasure");
  await say(id, "Anna, what was it?");
  expect(getPrompt()).toContain("In short: the treasure.");
});

test("an answer is generated again by the same character, and an undone one counts no more", async () => {
  const { id } = await openSession({ speaker_order: "round" });
  await say(id, "one");
  await say(id, "two");
  const again = await api.post<{ replies: readonly Message[] }>(`/api/sessions/${id}/regenerate`, {});
  expect(speakers(again.replies)).toEqual(["Ben"]);
  await say(id, "/undo");
  expect(speakers(await say(id, "two again"))).toEqual(["Ben"]);
});

test("mood and relationship are those of the character that answers", async () => {
  const { id } = await openSession();
  await say(id, "Ben, I love you, you are wonderful!");
  const isActive = async (character: string) => {
    const path = `/api/characters/${character}/state?session_id=${id}` as const;
    return (await api.get<{ last_active_at: string | null }>(path)).last_active_at !== null;
  };
  const { items } = await api.get<List<{ character_id: string }>>(`/api/sessions/${id}/runtime-timeline`);
  expect(items.map(({ character_id }) => character_id)).toEqual([ben]);
  expect(await isActive(ben)).toBe(true);
  expect(await isActive(anna)).toBe(false);
});

test("on platforms the name stands before the answer, and the stored text is without it", async () => {
  const sessionId = `${fake.id}:group:team-several`;
  const tell = async (text: string, more: Partial<InboundMessage> = {}) => {
    const count = fake.sent.length;
    await fake.say("team-several", text, more);
    await eventually(() => expect(fake.sent.length).toBe(count + 1));
    return fake.sent.at(-1)?.text;
  };
  await tell("Hello");
  await api.put(`/api/sessions/${encodeURIComponent(sessionId)}`, { character_ids: [anna, ben] });
  expect(await tell("Ben, hello")).toMatch(/^Ben: /);
  const last = (await listMessages(encodeURIComponent(sessionId))).at(-1);
  expect(last).toMatchObject({ sender: "Ben", character_id: ben });
  expect(last?.content).not.toMatch(/^Ben: /);
  const both = fake.sent.length;
  await fake.say("team-several", "Anna, Ben: good night");
  await eventually(() =>
    expect(fake.sent.slice(both).map(({ text }) => text.split(":")[0])).toEqual(["Anna Berg", "Ben"]),
  );
  await api.put(`/api/channels/${fake.id}`, { config: { burst: "wait", burst_ms: 300 } });
  const count = fake.sent.length;
  await fake.say("team-several", "Anna!");
  await fake.say("team-several", "Are you there?");
  await eventually(() => expect(fake.sent.length).toBe(count + 1));
  await service.parley.host.get(Gateway).idle();
  expect(fake.sent.slice(count).map(({ text }) => text.split(":")[0])).toEqual(["Anna Berg"]);
});

test("an export keeps the characters, their scenes and who said what", async () => {
  const { id } = await openSession({ speaker_order: "round" });
  await say(id, "one");
  await api.put(`/api/sessions/${id}/scene`, { present: [ben] });
  await say(id, "two");
  const file = await api.get<object>(`/api/sessions/${id}/export`);
  const { items } = await api.post<{ items: readonly { id: string }[] }>("/api/sessions/import", file);
  const copy = await get(items[0]?.id ?? "");
  const original = await get(id);
  for (const key of ["character_id", "character_ids", "speaker_order", "scenes"] as const)
    expect(copy[key]).toEqual(original[key]);
  expect((await listMessages(copy.id)).map((one) => one.character_id)).toEqual([null, anna, null, ben]);
  expect(speakers(await say(copy.id, "three"))).toEqual(["Ben"]);
});

test("a deleted character leaves the others, and the first of the rest takes its place", async () => {
  const dora = await createCharacter("Dora");
  const { id } = await openSession({ character_ids: [dora, ben] });
  await say(id, "Dora, hello");
  await api.send("DELETE", `/api/characters/${dora}`);
  expect(await get(id)).toMatchObject({ character_id: ben, character_ids: [ben], sender_name: "Ben" });
  expect(speakers(await say(id, "Who is here?"))).toEqual(["Ben"]);
});

test("binding a character replaces the first one, and the list finds a conversation by each", async () => {
  const { id } = await openSession({ character_ids: [anna, ben] });
  const bind = (character_id: string) => api.put<Session>(`/api/sessions/${id}/bind-character`, { character_id });
  expect(await bind(cara)).toMatchObject({ character_id: cara, character_ids: [cara, ben], sender_name: "Cara" });
  expect(await bind(ben)).toMatchObject({ character_id: ben, character_ids: [ben, cara], sender_name: "Ben" });
  const found = await api.get<List<Session>>(`/api/sessions?character_id=${cara}&limit=500`);
  expect(found.items.map((one) => one.id)).toContain(id);
});

test.each([
  ["an unknown character", { character_ids: ["char_unknown"] }, "char_unknown"],
  ["a character twice", () => ({ character_ids: [anna, anna] }), "character_ids"],
  ["nine characters", { character_ids: ["1", "2", "3", "4", "5", "6", "7", "8", "9"] }, "character_ids"],
  ["a first character that is not the first", () => ({ character_ids: [anna, ben], character_id: ben }), "first"],
  ["an unknown order", { speaker_order: "dice" }, "speaker_order"],
])("%s is rejected", async (_, body, reason) => {
  const { id } = await api.post<Session>("/api/sessions", { character_id: anna });
  const answer = await api.send("PUT", `/api/sessions/${id}`, { body: typeof body === "function" ? body() : body });
  expect(answer.status).toBe(400);
  expect(answer.json?.error).toContain(reason);
});

test("who is not in the conversation cannot be present in it", async () => {
  const { id } = await openSession({ character_ids: [anna, ben] });
  for (const present of [[cara], [], [anna, anna]])
    expect((await api.send("PUT", `/api/sessions/${id}/scene`, { body: { present } })).status).toBe(400);
});
