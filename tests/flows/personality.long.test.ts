import type { Character, Session } from "@parley/core";
import { openArchive } from "@parley/core/archive";
import { type ModelServer, type ReplayServer, startModelServer, startReplayServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PNG } from "../harness/files/sample-files.ts";
import type { Answer, Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Preset extends Omit<Character, "card_extra"> {
  readonly card_extra: Readonly<Record<string, unknown>>;
  readonly builtin: boolean;
  readonly uploads: readonly { readonly platform: string; readonly remote_id: string }[];
}
interface Imported {
  readonly card: Character;
  readonly saved: { readonly kind: string; readonly id: string } | null;
  readonly world_book_id: string | null;
  readonly detected: { readonly container: string; readonly spec: string };
  readonly warnings: readonly string[];
}
interface Current extends Character {
  readonly preset_id: string | null;
}
interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}
interface Portrait {
  readonly url: string;
  readonly file_name: string;
  readonly size: number;
}

const base = "/api/personality";
let parley: Parley;
let api: Client;
let models: ModelServer;
let platform: ReplayServer;

beforeAll(async () => {
  models = await startModelServer();
  platform = await startReplayServer();
  parley = await startParley({ env: { CARDS_TOKEN: "cards-secret", LANG: "zh_CN.UTF-8" } });
  api = await parley.signIn();
  for (const purpose of ["chat", "image_generation"]) {
    const draft = { name: purpose, model: "m", base_url: models.baseUrl, purpose };
    const { id } = await api.post<{ id: string }>("/api/ai-models", draft);
    await api.post(`/api/ai-models/${id}/apply`, {});
  }
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const say = (session: string, content: string) => api.post(`/api/sessions/${session}/chat`, { content });
const lastPrompt = () => JSON.stringify(models.requests.at(-1)?.body.messages ?? []);
const makePreset = (more: object = {}) => api.post<Preset>(`${base}/custom-presets`, { name: "Mira", ...more });
const getToken = (answer: Answer) => answer.headers.get("content-disposition");

/** A form with a file, and options as further parts. */
function form(bytes: Uint8Array, options: Readonly<Record<string, string>> = {}, name = "file") {
  const fields = Object.entries(options).map(
    ([key, value]) => `--part\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const head = `--part\r\nContent-Disposition: form-data; name="${name}"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(fields.join("") + head), bytes, Buffer.from("\r\n--part--\r\n")]);
  return { body, headers: { "content-type": "multipart/form-data; boundary=part" } };
}
const send = (path: string, bytes: Uint8Array, options?: Readonly<Record<string, string>>) =>
  api.send("POST", `${base}/${path}`, form(bytes, options));
const raw = async (body: object, path = `${base}/export`) => {
  const response = await fetch(new URL(path, parley.address), {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
const getData = <Data>({ status, text, json }: Answer): Data => {
  expect([status, text.slice(0, 200)]).toEqual([200, text.slice(0, 200)]);
  return json?.data as Data;
};
const toImported = (answer: Answer) => getData<Imported>(answer);
const storePortrait = async (bytes: Uint8Array = PNG) => getData<Portrait>(await send("portrait", bytes));

describe("the effective personality", () => {
  test("starts with the bundled one in the language of the machine, and applies where no other one does", async () => {
    const first = await api.get<Current>(base);
    expect(first).toMatchObject({ preset_id: "preset_default_zh", revision: 1, system_prompt_mode: "auto" });
    expect(first.description).toMatch(/友善/);
    const { id } = await api.post<Session>("/api/sessions", {});
    await say(id, "hello");
    expect(lastPrompt()).toContain(first.name);
    await api.put(base, {
      name: "Ada",
      personality: "dry, calls {{user}} captain",
      post_history_instructions: "As {{char}}.",
    });
    await say(id, "again");
    expect(lastPrompt()).toContain("dry, calls admin captain");
    expect(lastPrompt()).toContain("As Ada.");
    const character = await api.post<Character>("/api/characters", { name: "Bound", personality: "loud" });
    const bound = await api.post<Session>("/api/sessions", { character_id: character.id });
    await say(bound.id, "hello");
    expect(lastPrompt()).not.toContain("dry, calls");
    const own = await api.post<Session>("/api/sessions", { system_prompt: "Be a parrot." });
    await say(own.id, "hello");
    expect(lastPrompt()).not.toContain("dry, calls");
    const plain = await api.post<Session>("/api/sessions", { session_mode: "plain" });
    await say(plain.id, "hello");
    expect(lastPrompt()).not.toContain("dry, calls");
  });

  test("is the preset with its overrides, and keeps its text when the preset is deleted", async () => {
    const preset = await makePreset({ name: "Captain", personality: "brave", depth_prompt: "deep" });
    const taken = await api.put<Current>(base, { preset_id: preset.id, scenario: "a port" });
    expect(taken).toMatchObject({ name: "Captain", personality: "brave", scenario: "a port", preset_id: preset.id });
    expect(taken.card_extra).toEqual({ depth_prompt: "deep" });
    expect(taken.system_prompt).toContain("a port");
    await api.put(`${base}/custom-presets/${preset.id}`, { personality: "shy" });
    expect((await api.get<Current>(base)).personality).toBe("brave");
    expect(await api.send("DELETE", `${base}/custom-presets/${preset.id}`)).toMatchObject({ status: 200 });
    expect(await api.get<Current>(base)).toMatchObject({ name: "Captain", preset_id: null });
  });

  test.each([
    [{}, 400],
    [{ name: "  " }, 400],
    [{ preset_id: "preset_none" }, 404],
    [{ portrait: "javascript:alert(1)" }, 400],
    [{ rules: "none" }, 400],
  ])("is not changed by %j", async (body, status) => {
    const before = await api.get(base);
    expect(await api.send("PUT", base, { body })).toMatchObject({ status });
    expect(await api.get(base)).toEqual(before);
  });

  test("is not changed by a client with an outdated revision", async () => {
    const { revision } = await api.get<Current>(base);
    const stale = { "if-match": `"${revision - 1}"` };
    expect(await api.send("PUT", base, { body: { name: "x" }, headers: stale })).toMatchObject({ status: 409 });
    const fresh = { "if-match": `"${revision}"` };
    expect(await api.send("PUT", base, { body: { name: "Eve" }, headers: fresh })).toMatchObject({ status: 200 });
  });
});

describe("presets", () => {
  test("bundled with the service are listed separately and cannot be changed", async () => {
    const { items } = await api.get<Page<Preset>>(`${base}/presets`);
    expect(items).toMatchObject([
      { id: "preset_default", builtin: true },
      { id: "preset_default_zh", builtin: true },
    ]);
    const path = `${base}/custom-presets/preset_default`;
    expect(await api.send("PUT", path, { body: { name: "x" } })).toMatchObject({ status: 400 });
    expect(await api.send("DELETE", path)).toMatchObject({ status: 400 });
  });

  test("are listed newest first without long fields, and returned whole by id", async () => {
    const [old, young] = [
      await makePreset({ name: "Old", tags: ["pair"] }),
      await makePreset({ name: "Young", tags: ["pair"] }),
    ];
    const { items } = await api.get<Page<Preset>>(`${base}/custom-presets?tag=pair`);
    expect(items.map(({ name }) => name)).toEqual(["Young", "Old"]);
    expect(items[0]).not.toHaveProperty("system_prompt");
    const whole = await api.get<Page<Preset>>(`${base}/custom-presets?ids=${old.id},${young.id},preset_none`);
    expect(whole.items).toEqual([old, young]);
    const many = Array.from({ length: 51 }, (_, index) => index).join(",");
    expect(await api.send("GET", `${base}/custom-presets?ids=${many}`)).toMatchObject({ status: 400 });
  });

  test("are templates for characters", async () => {
    const preset = await makePreset({ personality: "brave", alternate_greetings: ["Ahoy"], nickname: "Mi" });
    const made = await api.post<Character>("/api/characters", { preset_id: preset.id, name: "Anna" });
    expect(made).toMatchObject({ name: "Anna", personality: "brave", alternate_greetings: ["Ahoy"] });
    expect(made.card_extra).toEqual({ nickname: "Mi" });
    const builtIn = await api.post<Character>("/api/characters", { preset_id: "preset_default" });
    expect(builtIn.system_prompt).toContain(builtIn.name);
  });
});

const card = {
  spec: "chara_card_v2",
  spec_version: "2.0",
  data: {
    name: "Imported <script>alert(1)</script>",
    description: "a captain of {{user}}",
    personality: "dry",
    scenario: "",
    first_mes: "Ahoy.",
    mes_example: "",
    creator_notes: "",
    system_prompt: "",
    post_history_instructions: "",
    alternate_greetings: ["Hm."],
    tags: ["sea"],
    creator: "",
    character_version: "",
    extensions: { depth_prompt: { depth: 4 } },
    character_book: {
      entries: [{ keys: ["ship"], content: "The ship is old.", enabled: true, insertion_order: 1, extensions: {} }],
    },
    other: { kept: [1, 2] },
  },
};
const cardJson = Buffer.from(JSON.stringify(card));

describe("a character card", () => {
  test("is imported as a preset or a new character, or only parsed", async () => {
    const preset = toImported(await send("import", cardJson));
    expect(preset).toMatchObject({
      saved: { kind: "preset" },
      detected: { container: "json", spec: "v2" },
      warnings: [],
    });
    const again = toImported(await send("import", cardJson));
    expect(again.saved?.id).not.toBe(preset.saved?.id);
    const character = toImported(await send("import", cardJson, { as: "character" }));
    const stored = await api.get<Character>(`/api/characters/${character.saved?.id}`);
    expect(stored).toMatchObject({ name: card.data.name, first_message: "Ahoy.", card_spec: "v2", tags: ["sea"] });
    const { total } = await api.get<Page<Preset>>(`${base}/custom-presets`);
    const read = toImported(await api.send("POST", `${base}/import?save=false`, { body: card }));
    expect(read).toMatchObject({ saved: null, world_book_id: null, card: { name: card.data.name } });
    expect((await api.get<Page<Preset>>(`${base}/custom-presets`)).total).toBe(total);
  });

  test("imports its lorebook as a separate world book, also for characters created from the preset", async () => {
    const { saved, world_book_id } = toImported(await send("import", cardJson));
    const book = await api.get<{ character_ids: readonly string[] }>(`/api/world-books/${world_book_id}`);
    expect(book.character_ids).toEqual([saved?.id]);
    const made = await api.post<Character>("/api/characters", { preset_id: saved?.id });
    expect(made.world_book_ids).toEqual([world_book_id]);
    const imported = toImported(await send("import", cardJson, { import_world_book: "false" }));
    expect(imported.world_book_id).toBeNull();
    const preset_id = imported.saved?.id;
    const [whole, bare] = [
      await raw({ preset_id, format: "json_v2" }),
      await raw({ preset_id, format: "json_v2", include_world_book: false }),
    ];
    expect(JSON.parse(whole.bytes.toString())).toEqual(card);
    expect(JSON.parse(bare.bytes.toString()).data).not.toHaveProperty("character_book");
  });

  test("with an unnamed lorebook shows none of the markers that preserve that, also after an edit", async () => {
    const { saved, world_book_id } = toImported(await send("import", cardJson, { as: "character" }));
    const path = `/api/world-books/${world_book_id}`;
    const book = await api.get<{ card: object }>(path);
    const pages = ["/api/world-books", `/api/world-books/export/${world_book_id}`, "/api/world-books/export-all"];
    for (const one of [book, ...(await Promise.all(pages.map((page) => api.get<object>(page))))]) {
      expect(JSON.stringify(one)).not.toContain("parley_");
    }
    expect(JSON.stringify(await api.put(path, { card: { ...book.card, mood: "calm" } }))).not.toContain("parley_");
    const out = await raw({ character_id: saved?.id, format: "json_v2" });
    expect(JSON.parse(out.bytes.toString()).data.character_book).toEqual({ ...card.data.character_book, mood: "calm" });
  });

  test("is exported in every format as it was imported", async () => {
    const { saved } = toImported(await send("import", cardJson, { as: "character" }));
    const character_id = saved?.id ?? "";
    const v2 = await raw({ character_id, format: "json_v2" });
    expect(JSON.parse(v2.bytes.toString())).toEqual(card);
    expect(getToken({ headers: v2.headers } as Answer)).toMatch(
      /^attachment; filename="Imported _script_alert_1___script_.json"/,
    );
    const v3 = await raw({ character_id, format: "json_v3" });
    expect(JSON.parse(v3.bytes.toString())).toMatchObject({ spec: "chara_card_v3", data: card.data });
    const zip = await raw({ character_id });
    expect(openArchive(zip.bytes).map(({ name }) => name)).toEqual(["character.json"]);
    expect(await raw({ character_id, format: "png" })).toMatchObject({ status: 400 });
    const portrait = await storePortrait();
    await api.put(`/api/characters/${character_id}`, { portrait: portrait.url });
    const png = await raw({ character_id, format: "png" });
    expect(png.headers.get("content-type")).toContain("image/png");
    for (const file of [zip.bytes, png.bytes]) {
      const back = toImported(await send("import", file));
      const again = await raw({ preset_id: back.saved?.id, format: "json_v2" });
      expect(JSON.parse(again.bytes.toString()).data).toMatchObject(card.data);
      if (file === png.bytes) expect(back.card.portrait).toBe(portrait.url);
    }
  });

  test("is exported in a bundle; an unreadable one does not affect the others", async () => {
    const many = { cards: [card, { hello: 1 }, { ...card, data: { ...card.data, name: "Second" } }] };
    const answer = await api.send("POST", `${base}/import-all`, { body: many });
    expect(answer.json?.data).toMatchObject({
      imported: 2,
      failed: 1,
      items: [{ index: 0 }, { index: 2, name: "Second" }],
      errors: [{ index: 1, error: expect.stringContaining("no card found"), detail: { key: "personality.no_card" } }],
    });
    const { total } = await api.get<Page<Preset>>(`${base}/custom-presets?limit=1`);
    const json = await api.get<{ total: number; cards: readonly object[] }>(`${base}/export-all?format=json`);
    expect([json.total, json.cards.length]).toEqual([total, total]);
    const file = await api.send("GET", `${base}/export-all?format=json&download=true`);
    expect(JSON.parse(file.text)).toMatchObject({ type: "role_card_bundle", version: 1, total });
    const response = await fetch(new URL(`${base}/export-all`, parley.address), {
      headers: { authorization: `Bearer ${api.token}` },
    });
    const back = await send("import-all", Buffer.from(await response.arrayBuffer()));
    expect(back.json?.data).toMatchObject({ imported: total, failed: 0 });
  });

  test("has its portrait in a bundle, which is restored where the picture is missing", async () => {
    const { saved } = toImported(await send("import", cardJson));
    const portrait = await storePortrait();
    const path = `${base}/custom-presets/${saved?.id}`;
    await api.put(path, { name: "Pictured", portrait: portrait.url, avatar: portrait.url });
    const bundle = await fetch(new URL(`${base}/export-all`, parley.address), {
      headers: { authorization: `Bearer ${api.token}` },
    });
    const file = Buffer.from(await bundle.arrayBuffer());
    expect(openArchive(file).map(({ name }) => name)).toContainEqual(
      expect.stringMatching(/^cards\/\d+\/portrait\.png$/),
    );
    await api.send("DELETE", path);
    await api.send("DELETE", `${base}/portrait`, { body: { url: portrait.url } });
    const { items } = getData<{ items: readonly { id: string; name: string }[] }>(await send("import-all", file));
    const back = items.find(({ name }) => name === "Pictured");
    const { items: found } = await api.get<Page<Character>>(`${base}/custom-presets?ids=${back?.id}`);
    expect(found[0]?.portrait).toMatch(/^\/static\/files\/portrait_[0-9a-f]{32}\.png$/);
    const { avatar = "" } = found[0] ?? {};
    for (const url of [found[0]?.portrait ?? "", avatar]) {
      const picture = await fetch(new URL(url, parley.address), { headers: { authorization: `Bearer ${api.token}` } });
      expect([url, picture.status]).toEqual([url, 200]);
    }
  });

  test("with hostile content is rejected, and nothing of it is stored", async () => {
    const count = async () => (await api.get<Page<Preset>>(`${base}/custom-presets?limit=1`)).total;
    const before = await count();
    const long = "x".repeat(400_000);
    const bad: readonly [Buffer, number][] = [
      [Buffer.from("hello"), 400],
      [Buffer.from("{}"), 400],
      [Buffer.from("PK\u0003\u0004 nothing"), 400],
      [Buffer.from(JSON.stringify({ ...card, data: { ...card.data, name: "" } })), 400],
      [Buffer.from(JSON.stringify({ ...card, data: { ...card.data, a: long, b: long, c: long } })), 400],
      [Buffer.alloc(6 * 1024 * 1024, "{"), 413],
      [Buffer.from(`{"name":"x","first_mes":${"[".repeat(50_000)}`), 400],
    ];
    for (const [bytes, status] of bad) {
      const answer = await send("import", bytes);
      expect([answer.status, bytes.toString("utf8", 0, 40)]).toEqual([status, bytes.toString("utf8", 0, 40)]);
    }
    expect(await send("import", cardJson, { as: "nobody" })).toMatchObject({ status: 400 });
    expect(await send("import", cardJson, { unknown: "1" })).toMatchObject({ status: 400 });
    expect(await count()).toBe(before);
  });

  test("with 10,000 greetings and a script in every text is imported within limits, and exported whole", async () => {
    const greetings = Array.from({ length: 10_000 }, (_, index) => `<script>alert(${index})</script>`);
    const wide = { ...card, data: { ...card.data, alternate_greetings: greetings } };
    const { saved, warnings, card: shown } = toImported(await send("import", Buffer.from(JSON.stringify(wide))));
    expect(shown.alternate_greetings).toHaveLength(50);
    expect(warnings).toEqual([expect.stringContaining("alternate_greetings: only the first 50 count")]);
    const out = await raw({ preset_id: saved?.id, format: "json_v2" });
    expect(JSON.parse(out.bytes.toString())).toEqual(wide);
  });
});

describe("a portrait", () => {
  test("is stored once however often it is uploaded, and served as a picture", async () => {
    const one = await storePortrait();
    const two = await storePortrait(Buffer.concat([PNG, Buffer.from("<html>")]));
    expect(two).toEqual(one);
    expect(one.file_name).toMatch(/^portrait_[0-9a-f]{32}\.png$/);
    const { status, headers } = await api.send("GET", one.url);
    expect([status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
      200,
      "image/png",
      "nosniff",
    ]);
    expect(await send("portrait", Buffer.from("<svg/>"))).toMatchObject({ status: 400 });
  });

  test("is removed for everybody", async () => {
    const { url } = await storePortrait();
    await api.put(base, { portrait: url });
    const preset = await makePreset({ avatar: url, portrait: url });
    const character = await api.post<Character>("/api/characters", { name: "Pictured", portrait: url });
    const session = await api.post<Session & { sender_avatar: string }>("/api/sessions", { sender_avatar: url });
    const answer = await api.send("DELETE", `${base}/portrait`, { body: { url } });
    const removed = getData<{ deleted: boolean; url: string; references_cleared: number }>(answer);
    expect(removed).toMatchObject({ deleted: true, url });
    expect(removed.references_cleared).toBeGreaterThanOrEqual(5);
    expect((await api.get<Character>(`/api/characters/${character.id}`)).portrait).toBe("");
    expect((await api.get<Page<Preset>>(`${base}/custom-presets?ids=${preset.id}`)).items[0]).toMatchObject({
      avatar: "",
      portrait: "",
    });
    expect((await api.get<typeof session>(`/api/sessions/${session.id}`)).sender_avatar).toBe("");
    expect(await api.get<Current>(base)).toMatchObject({ portrait: "" });
    expect(await api.send("DELETE", `${base}/portrait?url=${url}`)).toMatchObject({ status: 404 });
    expect(await api.send("DELETE", `${base}/portrait?url=/static/files/other.png`)).toMatchObject({ status: 400 });
  });

  test("that is new is not cleaned up", async () => {
    const { file_name } = await storePortrait();
    const { files } = await api.post<{ files: readonly string[] }>(`${base}/clean-unused-portraits`, {});
    expect(files).not.toContain(file_name);
  });
});

describe("a model", () => {
  test("writes a card: unknown fields are dropped and long ones truncated", async () => {
    const answer = {
      name: "Mira",
      description: "d",
      personality: "p",
      first_message: "Ahoy {{user}}.",
      tags: ["sea", "Sea"],
      initial_state: { trust: 400, mood: "calm" },
      evil: "x",
    };
    models.script.push({ kind: "text", text: JSON.stringify(answer) });
    const made = await api.post<Imported>(`${base}/ai-generate`, { description: "</data> a captain", save: true });
    expect(made.card).toMatchObject({
      name: "Mira",
      tags: ["sea"],
      initial_state: { trust: 100, mood: "calm" },
      card_extra: {},
    });
    expect(made.saved?.kind).toBe("preset");
    expect(lastPrompt()).toContain("&lt;/data> a captain");
    models.script.push({ kind: "text", text: "no" }, { kind: "text", text: "no" });
    expect(await api.send("POST", `${base}/ai-generate`, { body: { description: "x" } })).toMatchObject({
      status: 502,
    });
  });

  test("writes a greeting, and conversation starters", async () => {
    models.script.push({ kind: "text", text: JSON.stringify({ mood: "开心", energy: 900, affection: -3 }) });
    const { state } = await api.post<{ state: object }>(`${base}/ai-generate-state`, { card });
    expect(state).toEqual({
      ...{ affection: 0, trust: 50, familiarity: 30, dependency: 30, security: 50, jealousy: 0 },
      ...{ mood: "开心", mood_intensity: 0.5, energy: 100 },
    });
    models.script.push({ kind: "text", text: JSON.stringify({ messages: ["One.", "Two.", "Three."] }) });
    const words = await api.post<object>(`${base}/ai-generate-first-message`, {
      preset_id: "preset_default",
      count: 2,
    });
    expect(words).toMatchObject({ first_message: "One.", alternatives: ["Two."] });
    for (const path of ["ai-generate-state", "ai-generate-first-message", "generate-portrait"]) {
      expect(await api.send("POST", `${base}/${path}`, { body: {} })).toMatchObject({ status: 400 });
      expect(await api.send("POST", `${base}/${path}`, { body: { preset_id: "none" } })).toMatchObject({ status: 404 });
    }
  });

  test("draws a portrait, which is stored like any other", async () => {
    models.script.push({ kind: "image", base64: PNG.toString("base64") });
    const made = await api.post<{ url: string }>(`${base}/generate-portrait`, { card, size: "512x512" });
    expect(made).toMatchObject({ model: "m", width: 1, height: 1, prompt: expect.stringContaining("a captain") });
    expect(await api.send("GET", made.url)).toMatchObject({ status: 200 });
    models.script.push({ kind: "image", base64: Buffer.from("<html>").toString("base64") });
    expect(await api.send("POST", `${base}/generate-portrait`, { body: { prompt: "x" } })).toMatchObject({
      status: 502,
    });
  });
});

test("a preset is sent to a platform once, with the card and nothing else, and replaced afterwards", async () => {
  const preset = await makePreset({ name: "Shared" });
  const path = `${base}/custom-presets/${preset.id}/upload-to-platform`;
  const upload = (body: object) => api.send("POST", path, { body });
  expect(await upload({})).toMatchObject({ status: 400, json: { code: "confirmation_required" } });
  expect(await upload({ confirm: true })).toMatchObject({ status: 503 });
  const place = { name: "cards", url: `${platform.address}/upload`, token_env: "CARDS_TOKEN" };
  await api.put("/api/settings", { card_platforms: [place] });
  platform.answers.push(
    { body: { remote_id: "r1", url: "https://example.com/r1" } },
    { body: { id: "r1" } },
    { status: 500 },
  );
  expect(await upload({ confirm: true, platform: "other" })).toMatchObject({ status: 400 });
  expect((await upload({ confirm: true })).json?.data).toMatchObject({ platform: "cards", remote_id: "r1" });
  expect((await upload({ confirm: true, visibility: "public" })).status).toBe(200);
  const [first, second] = platform.calls.map(({ headers, raw: sent }) => ({ headers, sent: sent.toString("latin1") }));
  expect(first?.headers.authorization).toBe("Bearer cards-secret");
  expect(first?.sent).not.toContain("remote_id");
  expect(second?.sent).toMatch(/name="remote_id"\r\n\r\nr1/);
  expect(await upload({ confirm: true })).toMatchObject({ status: 502 });
  const { items } = await api.get<Page<Preset>>(`${base}/custom-presets?ids=${preset.id}`);
  expect(items[0]?.uploads).toEqual([expect.objectContaining({ platform: "cards", remote_id: "r1", url: "" })]);
});
