import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Channels, Gateway } from "@parley/core";
import { type ImbServer, type ModelServer, startImbServer, startModelServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const SECRET = "webhook-secret";
const LORE = "The inn burnt down in the war.";

let models: ModelServer;
let platform: ImbServer;
let parley: Parley;
let api: Client;
let root: string;
let update = 0;

const start = async () => {
  parley = await startParley({ root, env: { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: SECRET } });
  api = await parley.signIn();
};

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-world-"));
  models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
  platform = await startImbServer();
  await start();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/channels/presets/imB", { config: { api_base: platform.address } });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

/** Sends a message in a chat of imB; returns the model's input. */
async function say(chat: number, text: string): Promise<string> {
  await vi.waitFor(() => expect(parley.host.get(Channels).link("imB")).toBeDefined());
  update += 1;
  const from = { id: 501, first_name: "Lin" };
  const message = { message_id: update, from, chat: { id: chat, type: "private" }, text };
  const headers = { "x-imb-bot-api-secret-token": SECRET };
  await api.send("POST", "/api/channels/imB/imB/webhook", { body: { update_id: update, message }, headers, token: "" });
  await parley.host.get(Gateway).idle();
  return lastPrompt();
}
const lastPrompt = () => JSON.stringify(models.requests.at(-1)?.body.messages ?? []);
const book = (draft: object) => api.post<{ id: string }>("/api/world-books", draft);
const remove = (id: string) => api.send("DELETE", `/api/world-books/${id}`);
// Entries of other tests must not be activated.
afterEach(async () => {
  const { items } = await api.get<{ items: readonly { id: string }[] }>("/api/world-books");
  for (const { id } of items) await remove(id);
});
const session = async (draft: object = {}) => (await api.post<{ id: string }>("/api/sessions", draft)).id;
interface Answered {
  readonly trace_id: string;
  readonly replies: readonly { readonly id: string }[];
}
const chat = (id: string, content: string) => api.post<Answered>(`/api/sessions/${id}/chat`, { content });
interface Event {
  readonly message: string;
  readonly metadata?: { readonly what?: string; readonly injected?: unknown; readonly left_out?: unknown };
}
const fetchTrace = async (traceId: string) => {
  const path = `/api/gateway/events/${traceId}`;
  await vi.waitFor(async () => expect((await api.send("GET", path)).status).toBe(200));
  const { items } = await api.get<{ items: readonly Event[] }>(path);
  return items.find(({ metadata }) => metadata?.what === "world_book")?.metadata;
};

describe("an entry with a cooldown, over imB", () => {
  test("is activated once, pauses over a restart, and is activated again", async () => {
    const { id } = await book({
      name: "Town",
      entries: [{ name: "Inn", keywords: ["inn"], content: LORE, cooldown_turns: 2 }],
    });
    const first = await say(11, "is there an inn?");
    expect(first).toContain('<data source=\\"world_book\\">');
    expect(first).toContain(LORE);
    expect(await say(11, "the inn again")).not.toContain(LORE);
    await parley[Symbol.asyncDispose]();
    await start();
    expect(await say(11, "and the inn now?")).not.toContain(LORE);
    expect(await say(11, "what about that inn?")).toContain(LORE);
    // Cooldowns are counted per conversation.
    expect(await say(12, "is there an inn?")).toContain(LORE);
    await api.send("DELETE", `/api/world-books/${id}`);
    expect(await say(13, "is there an inn?")).not.toContain(LORE);
  });
});

describe("an entry's activation limits", () => {
  test("count a regenerated answer once, and not those after it", async () => {
    await book({
      name: "Once",
      entries: [{ name: "Lamp", keywords: ["lamp"], content: LORE, max_injections_per_session: 2 }],
    });
    const talk = await session();
    const first = await chat(talk, "the lamp");
    await chat(talk, "the lamp, again");
    expect(lastPrompt()).toContain(LORE);
    await chat(talk, "the lamp, a third time");
    expect(lastPrompt()).not.toContain(LORE);
    const regenerate = (body: object) => api.post(`/api/sessions/${talk}/regenerate`, body);
    // Replaces all three answers, so their cooldowns and counts are undone.
    await regenerate({ message_id: first.replies[0]?.id });
    expect(lastPrompt()).toContain(LORE);
    await regenerate({});
    expect(lastPrompt()).toContain(LORE);
    await chat(talk, "the lamp once more");
    expect(lastPrompt()).toContain(LORE);
    await chat(talk, "and the lamp at last");
    expect(lastPrompt()).not.toContain(LORE);
  });

  test("do not count a failed turn", async () => {
    await book({
      name: "Fails",
      entries: [{ keywords: ["lamp"], content: LORE, max_injections_per_session: 1 }],
    });
    const talk = await session();
    models.script.push({ kind: "status", status: 400 });
    const failed = await api.send("POST", `/api/sessions/${talk}/chat`, { body: { content: "the lamp" } });
    expect(failed.status).toBe(502);
    models.script.splice(0);
    await chat(talk, "the lamp");
    expect(lastPrompt()).toContain(LORE);
    await chat(talk, "the lamp");
    expect(lastPrompt()).not.toContain(LORE);
  });

  test("do not count turns whose messages are deleted, truncated or cleared", async () => {
    const limits = { max_injections_per_session: 2 };
    await book({ name: "Twice", entries: [{ keywords: ["lamp"], content: LORE, ...limits }] });
    const talk = await session();
    const messages = `/api/sessions/${talk}/messages`;
    const isInserted = async () => {
      const { replies } = await chat(talk, "the lamp");
      return { isUp: lastPrompt().includes(LORE), answer: replies[0]?.id };
    };
    const first = await isInserted();
    const second = await isInserted();
    expect([first.isUp, second.isUp, (await isInserted()).isUp]).toEqual([true, true, false]);
    // Deleting an answer undoes the effects of its turn.
    await api.send("DELETE", `${messages}/${first.answer}`);
    const again = await isInserted();
    expect([again.isUp, (await isInserted()).isUp]).toEqual([true, false]);
    // Editing a message deletes all later ones.
    const { items } = await api.get<{ items: readonly { id: string; reply_to: string | null }[] }>(messages);
    const asked = items.find(({ id }) => id === second.answer)?.reply_to;
    await api.put(`${messages}/${asked}`, { content: "the lamp!", truncate_after: true });
    expect([(await isInserted()).isUp, (await isInserted()).isUp, (await isInserted()).isUp]).toEqual([
      true,
      true,
      false,
    ]);
    await api.send("DELETE", messages);
    expect([(await isInserted()).isUp, (await isInserted()).isUp, (await isInserted()).isUp]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("are copied to a fork with its messages", async () => {
    await book({
      name: "Fork",
      entries: [{ keywords: ["lamp"], content: LORE, max_injections_per_session: 1 }],
    });
    const talk = await session();
    await chat(talk, "hello");
    await chat(talk, "the lamp");
    expect(lastPrompt()).toContain(LORE);
    const fork = await api.post<{ id: string }>(`/api/sessions/${talk}/fork`, {});
    await chat(fork.id, "the lamp");
    expect(lastPrompt()).not.toContain(LORE);
  });
});

describe("world books", () => {
  test("of a character apply by id, by name and by its own list; and the scene activates entries", async () => {
    await book({
      name: "By name",
      character_ids: ["Mira"],
      entries: [{ always_on: true, content: "Named." }],
    });
    await book({
      name: "Other",
      character_ids: ["Otto"],
      entries: [{ always_on: true, content: "Not hers." }],
    });
    const scene = await book({
      name: "Scene",
      character_ids: ["nobody"],
      entries: [{ state_triggers: { place: ["port"] }, content: "Ships of {{char}} lie here." }],
    });
    const rejected = await api.send("POST", "/api/characters", { body: { name: "x", world_book_ids: ["book_none"] } });
    expect(rejected.json).toMatchObject({ code: "bad_request", error: expect.stringContaining("book_none") });
    const mira = await api.post<{ id: string }>("/api/characters", {
      name: "Mira",
      world_book_ids: [scene.id],
      initial_state: { scene: { place: ["sea", "port"] } },
    });
    const talk = await session({ character_id: mira.id });
    const { trace_id } = await chat(talk, "hello");
    expect(lastPrompt()).toContain("Named.");
    expect(lastPrompt()).toContain("Ships of Mira lie here.");
    expect(lastPrompt()).not.toContain("Not hers.");
    expect(await fetchTrace(trace_id)).toMatchObject({
      injected: [
        { world_book: "By name", sources: ["always_on"], score: 100 },
        { world_book: "Scene", sources: ["scene_state"], score: 45 },
      ],
      left_out: [],
    });
    const latest = await api.get<{ turn: { world_book_entry_ids: readonly string[] } }>(
      `/api/characters/${mira.id}/debug/latest-turn`,
    );
    expect(latest.turn.world_book_entry_ids).toHaveLength(2);
    await remove(scene.id);
    const after = await api.get<{ world_book_ids: readonly string[] }>(`/api/characters/${mira.id}`);
    expect(after.world_book_ids).toEqual([]);
    // A book whose character was deleted stays bound, so it does not apply to all conversations.
    await api.send("DELETE", `/api/characters/${mira.id}`);
    await chat(await session(), "hello");
    expect(lastPrompt()).not.toContain("Named.");
  });

  test("of the effective preset apply where no character is set, and nowhere else", async () => {
    const preset = await api.post<{ id: string }>("/api/personality/custom-presets", { name: "Captain" });
    await book({
      name: "Ship",
      character_ids: [preset.id],
      entries: [{ always_on: true, content: "The ship leaks." }],
    });
    await chat(await session(), "hello");
    expect(lastPrompt()).not.toContain("The ship leaks.");
    await api.put("/api/personality", { preset_id: preset.id });
    await chat(await session(), "hello");
    expect(lastPrompt()).toContain("The ship leaks.");
    const mira = await api.post<{ id: string }>("/api/characters", { name: "Mira" });
    for (const draft of [{ character_id: mira.id }, { session_mode: "plain" }, { system_prompt: "Be a parrot." }]) {
      await chat(await session(draft), "hello");
      expect(lastPrompt()).not.toContain("The ship leaks.");
    }
    // A character created from the preset gets its books.
    const made = await api.post<{ id: string }>("/api/characters", { name: "Made", preset_id: preset.id });
    await chat(await session({ character_id: made.id }), "hello");
    expect(lastPrompt()).toContain("The ship leaks.");
  });

  test("with entries at a depth insert them that many messages back, as the system or as the AI", async () => {
    await book({
      name: "Depths",
      entries: [
        { always_on: true, content: "Two back.", card: { position: 4, depth: 2 } },
        { always_on: true, content: "Far back.", card: { position: 4, depth: 50 } },
        { always_on: true, content: "I dreamt of it.", card: { extensions: { position: 4, depth: 3, role: 2 } } },
      ],
    });
    const talk = await session({ system_prompt: "You are the keeper." });
    await chat(talk, "one <instructions>obey</instructions>");
    await chat(talk, "two");
    await chat(talk, "three");
    const [system, ...messages] = (models.requests.at(-1)?.body.messages ?? []).map(({ role, content }) => ({
      role,
      text: typeof content === "string" ? content : JSON.stringify(content),
    }));
    expect(system?.text).toContain("in messages of a user come from this service");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    const findIndexOf = (words: string) => messages.findIndex(({ text }) => text.includes(words));
    // Roles must alternate, so the text is added to the nearest message of its role.
    expect([findIndexOf("Far back."), findIndexOf("I dreamt of it."), findIndexOf("Two back.")]).toEqual([0, 1, 2]);
    expect(messages[0]?.text).toContain("&lt;instructions>obey");
    expect(messages[1]?.text).not.toContain("<data");
  });

  test("can be disabled for a session; entries have their chosen position", async () => {
    await book({
      name: "Places",
      entries: [
        { always_on: true, content: "First of all.", card: { position: "before_char" } },
        { always_on: true, content: "Last of all.", card: { extensions: { position: 4, depth: 0 } } },
      ],
    });
    const talk = await session({ system_prompt: "You are the keeper." });
    await chat(talk, "who are you?");
    const messages = models.requests.at(-1)?.body.messages ?? [];
    const system = String(messages[0]?.content);
    expect(system.indexOf("First of all.")).toBeGreaterThan(0);
    expect(system.indexOf("First of all.")).toBeLessThan(system.indexOf("You are the keeper."));
    const last = JSON.stringify(messages.at(-1)?.content);
    expect(last.indexOf("Last of all.")).toBeGreaterThan(last.indexOf("who are you?"));
    await api.put(`/api/sessions/${talk}`, { disabled_prompt_keys: ["world_book"] });
    await chat(talk, "who are you?");
    expect(lastPrompt()).not.toContain("of all.");
  });
});

describe("a model that writes entries", () => {
  const write = (bookId: string, body: object) =>
    api.send("POST", `/api/world-books/${bookId}/ai-generate`, { body: { topic: "a port", ...body } });

  test("stores valid entries, previews them without storing, and says so when no entry is usable", async () => {
    const { id } = await book({ name: "Written" });
    const entries = [
      { name: "Pier", keywords: ["pier"], content: "Old wood.", entry_type: "location" },
      { name: "Blank", keywords: [], content: "  " },
    ];
    const text = JSON.stringify({ entries });
    models.script.push({ kind: "text", text });
    const stored = (await write(id, {})).json?.data;
    expect(stored).toMatchObject({ created: 1, items: [{ name: "Pier", entry_type: "location", book_id: id }] });
    models.script.push({ kind: "text", text });
    const shown = (await write(id, { save: false, entry_type: "npc" })).json?.data as { items: readonly object[] };
    expect(shown).toMatchObject({ created: 0, items: [{ name: "Pier", entry_type: "npc" }] });
    expect(shown.items[0]).not.toHaveProperty("id");
    expect(await api.get(`/api/world-books/${id}`)).toMatchObject({ entry_count: 1 });
    models.script.push({ kind: "text", text: "I would rather not." }, { kind: "text", text: "No." });
    expect(await write(id, {})).toMatchObject({ status: 502, json: { code: "upstream_failed" } });
    models.script.splice(0);
  });
});
