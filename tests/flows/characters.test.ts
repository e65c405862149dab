import { rmSync } from "node:fs";
import { type Character, Characters, Gateway, type Message, type Session, type TimelineEntry } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

// The last prompt is that of the answer, not of a job that names the conversation.
const CONFIG = "[plugin.chat]\nname_sessions = off\n";

interface State {
  readonly mood: string;
  readonly mood_intensity: number;
  readonly energy: number;
  readonly scene: object;
  readonly mood_category: string | null;
  readonly persisted: boolean;
  readonly revision: number;
}
interface Bond {
  readonly target_id: string;
  readonly affection: number;
  readonly trust: number;
  readonly familiarity: number;
  readonly persisted: boolean;
  readonly revision: number;
}
interface Turn {
  readonly state_before: State;
  readonly state_after: State;
  readonly relationship_after: Bond;
  readonly signals: { readonly praise_score: number; readonly detected_keywords: readonly string[] };
  readonly plan: { readonly reasons: readonly { readonly field: string; readonly because: readonly string[] }[] };
  readonly prompt_layers: readonly { readonly key: string }[];
}

const fake = createFakeChannel();
let parley: Parley;
let api: Client;
let models: ModelServer;

beforeAll(async () => {
  models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
  parley = await startParley({ plugins: [fake.plugin], config: CONFIG });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const makeMira = (more: object = {}) =>
  api.post<Character>("/api/characters", {
    name: "Mira",
    personality: "dry, loyal to {{user}}",
    scenario: "a port",
    ...more,
  });
const bound = (character_id: string) => api.post<Session>("/api/sessions", { character_id });
const say = (id: string, content: string) =>
  api.post<{ replies: readonly Message[] }>(`/api/sessions/${id}/chat`, { content });
const getState = (id: string, session: string) => api.get<State>(`/api/characters/${id}/state?session_id=${session}`);
const getBond = (id: string, target = "web:user:admin") =>
  api.get<Bond>(`/api/characters/${id}/relationships?target_id=${target}`);
const timeline = async (session: string) =>
  (await api.get<{ items: readonly TimelineEntry[] }>(`/api/sessions/${session}/runtime-timeline`)).items;
const fetchLatestTurn = (id: string) => api.get<{ turn: Turn | null }>(`/api/characters/${id}/debug/latest-turn`);
const lastPrompt = () => JSON.stringify(models.requests.at(-1)?.body.messages ?? []);

describe("the record of a character", () => {
  test("has a prompt built from its fields unless one is written, and preserves unknown fields", async () => {
    const mira = await makeMira({ rules: ["never lie"], talkativeness: 0.5 });
    expect(mira).toMatchObject({ system_prompt_mode: "auto", card_extra: { talkativeness: 0.5 } });
    expect(mira.system_prompt).toContain("1. never lie");
    const path = `/api/characters/${mira.id}`;
    const renamed = await api.put<Character>(path, { name: "Mirabel", depth_prompt: "deep" });
    expect(renamed.system_prompt).toContain("You are Mirabel.");
    expect(renamed.card_extra).toEqual({ talkativeness: 0.5, depth_prompt: "deep" });
    const written = await api.put<Character>(path, { system_prompt: "Be Mira." });
    expect(written).toMatchObject({ system_prompt: "Be Mira.", system_prompt_mode: "manual" });
    expect(await api.put<Character>(path, { personality: "wild" })).toMatchObject({ system_prompt: "Be Mira." });
    expect((await api.put<Character>(path, { system_prompt_mode: "auto" })).system_prompt).toContain("wild");
    // A record may be sent back exactly as it was returned.
    const whole = await api.get<Character>(path);
    expect(await api.put(path, whole)).toMatchObject({
      ...whole,
      revision: whole.revision + 1,
      updated_at: expect.any(String),
    });
    const stale = await api.send("PUT", path, { body: { name: "x" }, headers: { "if-match": '"1"' } });
    expect(stale).toMatchObject({ status: 409 });
  });

  test("is listed without long fields, by name, tag and favourite", async () => {
    const one = await makeMira({ name: "Listed 100%", tags: ["rare"], favorite: true });
    type Page = { readonly items: readonly Character[]; readonly total: number };
    for (const query of ["q=listed%20100%25", "tag=rare", "q=RARE", "tag=rare&favorite=true"]) {
      const { items, total } = await api.get<Page>(`/api/characters?${query}`);
      expect([total, items.map(({ id }) => id)]).toEqual([1, [one.id]]);
      for (const long of ["system_prompt", "example_dialogues", "extensions", "card_extra"])
        expect(items[0]).not.toHaveProperty(long);
    }
    expect((await api.get<Page>("/api/characters?tag=rar")).total).toBe(0);
  });

  test("is copied from a preset, and sent fields take precedence", async () => {
    const captain = { name: "Captain", personality: "brave", tags: ["sea"] };
    const preset = await api.post<{ id: string }>("/api/personality/custom-presets", captain);
    const made = await api.post<Character>("/api/characters", { preset_id: preset.id, name: "Anna" });
    expect(made).toMatchObject({ name: "Anna", personality: "brave", tags: ["sea"], card_extra: {} });
    expect(await api.send("POST", "/api/characters", { body: { preset_id: "none" } })).toMatchObject({ status: 404 });
    expect(await api.send("POST", "/api/characters", { body: {} })).toMatchObject({ status: 400 });
  });

  test.each([
    ["a name of 101 characters", { name: "x".repeat(101) }],
    ["a portrait that is no picture", { portrait: "javascript:alert(1)" }],
    ["51 greetings", { alternate_greetings: Array.from({ length: 51 }, () => "hi") }],
    ["a state that is none", { initial_state: { luck: 1 } }],
    ["more than 1 MiB of unknown fields", { extensions: { a: "x".repeat(600_000) }, more: "x".repeat(600_000) }],
    ["tags that differ in their case alone", { tags: ["sea", "Sea"] }],
  ])("is rejected with %s, and nothing is created", async (_what, wrong) => {
    const count = async () => (await api.get<{ total: number }>("/api/characters?limit=1")).total;
    const before = await count();
    const answer = await api.send("POST", "/api/characters", { body: { name: "Wrong", ...wrong } });
    expect(answer).toMatchObject({ status: 400 });
    expect(await count()).toBe(before);
    const made = parley.host.get(Characters).create({ name: "Wrong", ...(wrong as object) });
    await expect(made).rejects.toMatchObject({ code: "bad_request" });
  });

  test("is not deleted during a turn with it", async () => {
    const mira = await makeMira();
    const session = await bound(mira.id);
    models.script.push({ kind: "hang" });
    const asked = models.nextRequest();
    const { trace_id } = await api.post<{ trace_id: string }>(`/api/sessions/${session.id}/chat`, {
      content: "hi",
      wait: false,
    });
    await asked;
    expect(await api.send("DELETE", `/api/characters/${mira.id}`)).toMatchObject({
      status: 409,
      json: { error: `it is answering in conversation '${session.id}': try again later` },
    });
    await api.post("/api/stop", { session_id: session.id, trace_id });
    await eventually(async () =>
      expect(await api.send("DELETE", `/api/characters/${mira.id}`)).toMatchObject({ status: 200 }),
    );
  });
});

describe("a conversation with a character", () => {
  test("sends the character to the model, and updates mood and relationship once for each answer", async () => {
    const mira = await makeMira({ initial_state: { energy: 60 } });
    const session = await bound(mira.id);
    expect(session).toMatchObject({ sender_name: "Mira", scenario: "a port" });
    expect(await getState(mira.id, session.id)).toMatchObject({
      mood: "平静",
      energy: 60,
      persisted: false,
      revision: 0,
    });
    await say(session.id, "你真棒，谢谢你");
    expect(lastPrompt()).toContain("You are Mira.");
    expect(lastPrompt()).toContain("loyal to admin");
    expect(lastPrompt()).toContain("Your mood now: 平静");
    expect(lastPrompt()).toContain("In this answer you want to thank");
    expect(lastPrompt().match(/a port/g)).toHaveLength(1);
    expect(await getState(mira.id, session.id)).toMatchObject({ mood: "开心", mood_category: "happy", revision: 1 });
    const bond = await getBond(mira.id);
    expect(bond).toMatchObject({ persisted: true, revision: 1 });
    expect(bond.affection).toBeGreaterThan(50);
    expect(await timeline(session.id)).toMatchObject([
      { source: "auto", state: { mood: "开心" }, user_message: "你真棒，谢谢你", assistant_message: "fine" },
    ]);
    expect(await timeline(session.id)).not.toHaveProperty("0.undo");
  });

  test("lists the words behind each change", async () => {
    const mira = await makeMira();
    const session = await bound(mira.id);
    expect(await fetchLatestTurn(mira.id)).toEqual({ turn: null });
    await say(session.id, "good job, you are so smart!");
    const { turn } = await fetchLatestTurn(mira.id);
    expect(turn?.signals.detected_keywords).toEqual(["good job", "so smart"]);
    expect(turn?.plan.reasons).toContainEqual({ field: "affection", delta: 4, because: ["good job", "so smart"] });
    expect(turn?.state_before.mood).toBe("平静");
    expect(turn?.state_after.mood).toBe("开心");
    expect(turn?.prompt_layers.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        "character.profile",
        "character.runtime_state",
        "character.relationship",
        "character.reaction_plan",
      ]),
    );
  });

  test("restores the earlier state on regeneration, also of the first answer, and on truncation", async () => {
    const mira = await makeMira();
    const session = await bound(mira.id);
    await say(session.id, "你真棒");
    const [first, bond] = [await getState(mira.id, session.id), await getBond(mira.id)];
    await api.post(`/api/sessions/${session.id}/regenerate`, {});
    expect(await getState(mira.id, session.id)).toMatchObject({
      ...first,
      revision: 2,
      updated_at: expect.any(String),
      last_active_at: expect.any(String),
    });
    expect((await getBond(mira.id)).affection).toBe(bond.affection);
    expect(await timeline(session.id)).toHaveLength(1);
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${session.id}/messages`);
    await say(session.id, "滚，我恨你");
    expect((await getState(mira.id, session.id)).mood).toBe("生气");
    await api.put(`/api/sessions/${session.id}/messages/${items[1]?.id}`, { truncate_after: true });
    expect((await getState(mira.id, session.id)).mood).toBe("开心");
    expect((await getBond(mira.id)).affection).toBe(bond.affection);
    expect(await timeline(session.id)).toHaveLength(1);
  });

  test("changes nothing when no answer is generated", async () => {
    const mira = await makeMira();
    const session = await bound(mira.id);
    models.script.push({ kind: "status", status: 400 });
    await api.send("POST", `/api/sessions/${session.id}/chat`, { body: { content: "你真棒" } });
    expect(await getState(mira.id, session.id)).toMatchObject({ persisted: false });
    expect(await getBond(mira.id)).toMatchObject({ persisted: false });
    expect(await timeline(session.id)).toEqual([]);
  });

  test("follows changes of the character, except for the session's own values", async () => {
    const mira = await makeMira();
    const session = await bound(mira.id);
    await api.put(`/api/sessions/${session.id}`, { scenario: "a ship" });
    await api.put(`/api/characters/${mira.id}`, {
      name: "Mirabel",
      scenario: "a cave",
      post_history_instructions: "stay with {{user}}",
    });
    expect(await api.get(`/api/sessions/${session.id}`)).toMatchObject({ sender_name: "Mirabel", scenario: "a ship" });
    await say(session.id, "hi");
    expect(lastPrompt()).toContain("You are Mirabel.");
    expect(lastPrompt()).toContain("a ship");
    expect(lastPrompt()).not.toContain("a cave");
    expect(lastPrompt()).toContain("stay with admin");
  });

  test("continues after the character is deleted, with its prompt and name", async () => {
    const mira = await makeMira();
    const session = await bound(mira.id);
    await say(session.id, "你真棒");
    await parley.host.get(Gateway).idle();
    const gone = await api.send("DELETE", `/api/characters/${mira.id}`);
    expect(gone.json?.data).toEqual({ id: mira.id, deleted: true, sessions_unbound: 1 });
    const left = await api.get<Session>(`/api/sessions/${session.id}`);
    expect(left).toMatchObject({ character_id: null, sender_name: "Mira" });
    expect(left.system_prompt).toContain("You are Mira.");
    expect(await api.send("GET", `/api/characters/${mira.id}`)).toMatchObject({ status: 404 });
    await say(session.id, "still there?");
    expect(lastPrompt()).toContain("You are Mira.");
  });

  test("is sent completely beside its author's prompt, which replaces the general rules", async () => {
    const general = "Answer in the language of the last message";
    const fields = {
      description: "a red coat",
      example_dialogues: "<START> Ahoy",
      post_history_instructions: "{{original}}Stay {{char}}.",
    };
    const mira = await makeMira({ ...fields, system_prompt: "Write as {{char}}." });
    const session = await bound(mira.id);
    await say(session.id, "hello");
    for (const text of ["Write as Mira.", "a red coat", "dry, loyal to", "a port", "<START> Ahoy", "Stay Mira."])
      expect(lastPrompt()).toContain(text);
    expect(lastPrompt()).not.toContain(general);
    expect(lastPrompt()).not.toContain("{{original}}");
    await api.put(`/api/characters/${mira.id}`, { system_prompt: "First. {{original}} Last." });
    await say(session.id, "hello again");
    expect(lastPrompt()).toMatch(/First\. Answer in the language of the last message[^{]* Last\./);
    expect(lastPrompt().split(general)).toHaveLength(2);
    await api.send("DELETE", `/api/characters/${mira.id}`);
    expect((await api.get<Session>(`/api/sessions/${session.id}`)).system_prompt).toContain("a red coat");
    await say(session.id, "still there?");
    expect(lastPrompt()).not.toContain("{{original}}");
  });

  test("copies its state into a fork, and a new character starts with a new history", async () => {
    const mira = await makeMira();
    const session = await bound(mira.id);
    await say(session.id, "你真棒");
    const fork = await api.post<Session>(`/api/sessions/${session.id}/fork`, {});
    expect(await getState(mira.id, fork.id)).toMatchObject({ mood: "开心", persisted: true });
    expect(await timeline(fork.id)).toMatchObject([{ session_id: fork.id, state: { mood: "开心" } }]);
    const other = await makeMira({ name: "Other" });
    await api.put(`/api/sessions/${fork.id}/bind-character`, { character_id: other.id });
    expect(await timeline(fork.id)).toEqual([]);
    expect(await getState(other.id, fork.id)).toMatchObject({ mood: "平静", persisted: false });
    expect(await getState(mira.id, fork.id)).toMatchObject({ mood: "开心" });
  });
});

test("the state is exported with its session, and imported, clamped", async () => {
  const mira = await makeMira();
  const session = await bound(mira.id);
  await say(session.id, "你真棒");
  const written = await api.get<{ sessions: [{ state: State; timeline: readonly TimelineEntry[] }] }>(
    `/api/sessions/${session.id}/export`,
  );
  expect(written.sessions[0]).toMatchObject({
    state: { mood: "开心" },
    relationship: {},
    timeline: [{ source: "auto" }],
  });
  written.sessions[0] = { ...written.sessions[0], state: { ...written.sessions[0].state, energy: 900 } };
  const { items } = await api.post<{ items: readonly { id: string }[] }>("/api/sessions/import", written);
  const id = items[0]?.id ?? "";
  expect(await getState(mira.id, id)).toMatchObject({ mood: "开心", energy: 100, persisted: true });
  const messages = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
  expect(await timeline(id)).toMatchObject([
    { session_id: id, message_id: messages.items[1]?.id, state: { mood: "开心" } },
  ]);
});

describe("after several answers", () => {
  const status = () => api.get<{ auto_state: { runs: number; failures: number } }>("/api/characters/runtime/status");

  test("a model evaluates the character's mood, after the answer and in the background", async () => {
    const mira = await makeMira();
    const session = await bound(mira.id);
    await api.put(`/api/sessions/${session.id}`, { auto_state_interval: 2 });
    await say(session.id, "one");
    const values = { mood: "期待", mood_intensity: 0.9, energy: 33, trust: 77, jealousy: 400, luck: 3 };
    models.script.push(
      { kind: "text", text: "fine" },
      { kind: "text", text: JSON.stringify({ ...values, jealousy: 4 }) },
    );
    await say(session.id, "two");
    await eventually(async () => expect((await getState(mira.id, session.id)).mood).toBe("期待"));
    expect(await getState(mira.id, session.id)).toMatchObject({ mood_intensity: 0.9, energy: 33 });
    expect(await getBond(mira.id)).toMatchObject({ trust: 77, jealousy: 4 });
    expect((await fetchLatestTurn(mira.id)).turn).toMatchObject({ auto_state: { ran: true, source: "model" } });
  });

  test("an invalid evaluation changes nothing", async () => {
    const mira = await makeMira();
    const session = await bound(mira.id);
    await api.put(`/api/sessions/${session.id}`, { auto_state_interval: 1 });
    const { failures } = (await status()).auto_state;
    models.script.push(
      { kind: "text", text: "fine" },
      { kind: "text", text: "no idea" },
      { kind: "text", text: "none" },
    );
    await say(session.id, "你真棒");
    await eventually(async () => expect((await status()).auto_state.failures).toBeGreaterThan(failures));
    expect(await getState(mira.id, session.id)).toMatchObject({ mood: "开心", revision: 1 });
  });
});

describe("in a group", () => {
  test("each person has their own relationship, and linked addresses share one", async () => {
    const mira = await makeMira();
    await fake.say("club", "hello", { sender: { id: "ann", name: "Ann", isAdmin: false } });
    await eventually(async () =>
      expect(await api.get("/api/sessions/fake:group:club")).toMatchObject({ message_count: 2 }),
    );
    await api.put("/api/sessions/fake:group:club/bind-character", { character_id: mira.id });
    await fake.say("club", "你真棒", { sender: { id: "ann", name: "Ann", isAdmin: false } });
    await fake.say("club", "滚，我恨你", { sender: { id: "bob", name: "Bob", isAdmin: false } });
    await eventually(async () => expect(await timeline("fake:group:club")).toHaveLength(2));
    const [ann, bob] = [await getBond(mira.id, "fake:user:ann"), await getBond(mira.id, "fake:user:bob")];
    expect(ann.affection).toBeGreaterThan(50);
    expect(bob.affection).toBeLessThan(50);
    await api.post("/api/person-links", { name: "Ann", target_id: "fake:user:ann", same_as: "web:user:ann" });
    expect(await getBond(mira.id, "fake:user:ann")).toMatchObject({ target_id: "web:user:ann", persisted: false });
    const chain = { name: "x", target_id: "web:user:ann", same_as: "web:user:bob" };
    expect(await api.send("POST", "/api/person-links", { body: chain })).toMatchObject({ status: 400 });
  });
});

test("two parallel conversations with one person are added up", async () => {
  const mira = await makeMira();
  const sessions = await Promise.all([1, 2, 3, 4].map(() => bound(mira.id)));
  await Promise.all(sessions.map(({ id }) => say(id, "good job")));
  const bond = await getBond(mira.id);
  // 4 × 0.6 of praise, rounded: 2 each.
  expect(bond).toMatchObject({ affection: 58, revision: 4 });
});

test("a mood set by hand lasts until the next reply, unless its intensity is set", async () => {
  const mira = await makeMira();
  const session = await bound(mira.id);
  const path = `/api/characters/${mira.id}/state?session_id=${session.id}`;
  await api.put(path, { mood: "平静", mood_intensity: 0.1 });
  await api.put(path, { mood: "得意" });
  expect(await getState(mira.id, session.id)).toMatchObject({ mood: "得意", mood_intensity: 0.5 });
  await say(session.id, "the weather is grey");
  expect(await getState(mira.id, session.id)).toMatchObject({ mood: "得意" });
  await api.put(path, { mood: "笑", mood_intensity: 0.2 });
  expect(await getState(mira.id, session.id)).toMatchObject({ mood: "笑", mood_intensity: 0.2 });
});

test("an entry of the timeline is readable as a state to set by hand", async () => {
  const mira = await makeMira();
  const session = await bound(mira.id);
  const path = `/api/sessions/${session.id}/runtime-timeline`;
  const wrong = [{ energy: "x" }, { mood: 5 }, { luck: 1 }, { affection: 3 }, {}].map((state) => ({ state }));
  for (const snapshot of [...wrong, { relationship: { trust: "5" } }, { relationship: { energy: 5 } }, {}])
    expect(await api.send("POST", path, { body: { snapshot } }), JSON.stringify(snapshot)).toMatchObject({
      status: 400,
    });
  expect(await timeline(session.id)).toEqual([]);
  await api.post(path, { snapshot: { state: { mood: " 笑 ", energy: 400 }, relationship: { trust: -3 } } });
  expect(await timeline(session.id)).toMatchObject([
    { state: { mood: "笑", energy: 100 }, relationship: { trust: 0 } },
  ]);
});

test("state and relationship can be changed by hand, within their limits, and survive a restart", async () => {
  const root = parley.root;
  const mira = await makeMira();
  const session = await bound(mira.id);
  const path = `/api/characters/${mira.id}/state?session_id=${session.id}`;
  await api.put(path, { mood: " 玩味 ", energy: 400, mood_intensity: -1, scene: { location: "tavern" } });
  const state = await getState(mira.id, session.id);
  expect(state).toMatchObject({ mood: "玩味", energy: 100, mood_intensity: 0, mood_category: null, revision: 1 });
  for (const body of [{}, { energy: "5" }, { mood: "" }, { luck: 1 }, { scene: { a: { b: 1 } } }]) {
    expect(await api.send("PUT", path, { body })).toMatchObject({ status: 400 });
  }
  expect(await api.send("PUT", path, { body: { energy: 5 }, headers: { "if-match": '"9"' } })).toMatchObject({
    status: 409,
  });
  await api.put(`/api/characters/${mira.id}/relationships`, { trust: 90 });
  expect(await timeline(session.id)).toMatchObject([{ source: "manual", state: { mood: "玩味" } }]);
  await api.put(`/api/characters/${mira.id}/state`, { mood: "期待" });
  const fresh = await bound(mira.id);
  expect(await getState(mira.id, fresh.id)).toMatchObject({ mood: "期待", persisted: false });

  // Starts the service again on the same folder.
  await parley.host[Symbol.asyncDispose]();
  parley = await startParley({ plugins: [fake.plugin], config: CONFIG, root });
  api = await parley.signIn();
  expect(await getState(mira.id, session.id)).toEqual(state);
  expect(await getBond(mira.id)).toMatchObject({ trust: 90, target_id: "web:user:admin" });
  await say(session.id, "你真棒");
  expect(lastPrompt()).toContain("location: tavern");
  expect((await getState(mira.id, session.id)).mood).toBe("开心");
});
afterAll(() => parley && rmSync(parley.root, { recursive: true, force: true }));
