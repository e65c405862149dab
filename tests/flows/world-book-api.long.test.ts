import { startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly priority: number;
  readonly warnings: readonly string[];
}
interface Book {
  readonly id: string;
  readonly name: string;
  readonly entry_count: number;
  readonly revision: number;
}
interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

const base = "/api/world-books";
let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

const createBook = (draft: object = {}) => api.post<Book>(base, { name: "Town", ...draft });
const add = (id: string, draft: object) => api.post<Entry>(`${base}/${id}/entries`, draft);
const getRejection = async (method: string, path: string, body?: object) => {
  const { status, json } = await api.send(method, path, body ? { body } : {});
  return { status, error: json?.error };
};
const file = (json: unknown, parts: Readonly<Record<string, string>> = {}) => {
  const fields = Object.entries(parts).map(
    ([name, value]) => `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = '--part\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n';
  return {
    body: `${fields.join("")}${head}${JSON.stringify(json)}\r\n--part--\r\n`,
    headers: { "content-type": "multipart/form-data; boundary=part" },
  };
};

describe("books and entries", () => {
  test("subscribers receive each created, changed and deleted entry, and one event for many at once", async () => {
    const { id, revision } = await createBook();
    using socket = await openSocket(api);
    await socket.next(({ type }) => type === "ready");
    const one = await add(id, { content: "a", keywords: ["Sea"] });
    await api.put(`${base}/${id}/entries/${one.id}`, { content: "b" });
    await api.send("DELETE", `${base}/${id}/entries/${one.id}`);
    const entries = Array.from({ length: 50 }, (_, index) => ({ content: `c${index}` }));
    await api.post(`${base}/${id}/entries/batch`, { entries });
    const last = await createBook();
    await socket.next((frame) => frame.type === "resource_changed" && frame.id === last.id);
    const changes = socket.frames.filter(({ type }) => type === "resource_changed");
    expect(changes.slice(0, -1).map(({ kind, id, action, revision }) => ({ kind, id, action, revision }))).toEqual([
      { kind: "entry", id: one.id, action: "created", revision: 1 },
      { kind: "entry", id: one.id, action: "updated", revision: 2 },
      { kind: "entry", id: one.id, action: "deleted", revision: null },
      { kind: "world_book", id, action: "updated", revision },
      { kind: "entry", id: "*", action: "imported", revision: null },
    ]);
  });
  test("a book with an invalid entry is not created; entries are listed by priority, then by creation", async () => {
    const { total } = await api.get<Page<Book>>(base);
    expect(
      await getRejection("POST", base, { name: "x", entries: [{ content: "a" }, { content: " " }] }),
    ).toMatchObject({
      status: 400,
      error: expect.stringContaining("entries.1.content"),
    });
    expect((await api.get<Page<Book>>(base)).total).toBe(total);
    const { id } = await createBook({ entries: [{ content: "a" }, { content: "b", priority: 5 }] });
    const third = await add(id, { content: "c", keywords: ["Sea"] });
    expect(third).toMatchObject({ name: "Sea", warnings: [], book_id: id });
    const { items } = await api.get<Page<Entry & { content: string }>>(`${base}/${id}/entries`);
    expect(items.map(({ content }) => content)).toEqual(["b", "a", "c"]);
    expect((await api.get<Page<Entry>>(`${base}/${id}/entries?q=SEA`)).total).toBe(1);
    expect(await api.get(`${base}/${id}`)).toMatchObject({ entry_count: 3, entries_truncated: false });
    expect(items[1]?.warnings).toEqual([expect.stringContaining("can never trigger")]);
    const changed = await api.put<Entry>(`${base}/${id}/entries/${third.id}`, { priority: 9, name: "" });
    expect(changed).toMatchObject({ name: "Sea", priority: 9 });
    expect((await api.get<Page<Entry>>(`${base}/${id}/entries`)).items[0]?.id).toBe(third.id);
  });

  test.each(["", "book_short", "char_00000000000000000000"])("a book with the id %j is not created", async (id) => {
    expect(await getRejection("POST", base, { name: "Odd", id })).toMatchObject({ status: 400 });
    expect((await api.get<Page<{ name: string }>>(base)).items.map(({ name }) => name)).not.toContain("Odd");
  });

  test("an entry of another book, an empty change, an invalid expression and an outdated revision are rejected", async () => {
    const [one, other] = [await createBook({ entries: [{ content: "a" }] }), await createBook()];
    const entry = await add(one.id, { content: "x" });
    const path = `${base}/${one.id}/entries/${entry.id}`;
    expect(await getRejection("PUT", `${base}/${other.id}/entries/${entry.id}`, { priority: 1 })).toMatchObject({
      status: 404,
    });
    expect(await getRejection("DELETE", `${base}/${other.id}/entries/${entry.id}`)).toMatchObject({ status: 404 });
    expect(await getRejection("PUT", path, {})).toMatchObject({ status: 400, error: "nothing to update" });
    expect(await getRejection("PUT", path, { keywords: ["("], use_regex: true })).toMatchObject({
      status: 400,
      error: expect.stringContaining("keywords.0: "),
    });
    const stale = await api.send("PUT", path, { body: { priority: 1 }, headers: { "if-match": '"7"' } });
    expect(stale.status).toBe(409);
    expect(await getRejection("DELETE", `${base}/${one.id}`)).toMatchObject({ status: 200 });
    expect(await getRejection("DELETE", `${base}/${one.id}`)).toMatchObject({ status: 404 });
    expect(await getRejection("PUT", path, { priority: 1 })).toMatchObject({ status: 404 });
  });

  test("a batch stores its valid entries, or nothing", async () => {
    const { id } = await createBook();
    const entries = [{ content: "a" }, { content: "" }, { content: "c", priority: 1e6 }, { content: "d" }];
    expect(await getRejection("POST", `${base}/${id}/entries/batch`, { entries, atomic: true })).toMatchObject({
      status: 400,
    });
    expect(await api.get(`${base}/${id}`)).toMatchObject({ entry_count: 0 });
    expect(await api.post(`${base}/${id}/entries/batch`, { entries })).toMatchObject({
      created: 2,
      failed: 2,
      items: [{ content: "a" }, { content: "d" }],
      errors: [
        { index: 1, error: expect.stringMatching(/^content: /), detail: { key: expect.any(String) } },
        { index: 2 },
      ],
    });
  });

  test("a book contains up to 5,000 entries, and a file of 10,000 creates no book", { timeout: 60_000 }, async () => {
    const getFile = (count: number) => ({
      entries: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [at, { uid: at, key: [`k${at}`], content: "x" }]),
      ),
    });
    const { total } = await api.get<Page<Book>>(base);
    expect(await getRejection("POST", `${base}/import`, getFile(10_000))).toMatchObject({ status: 409 });
    expect((await api.get<Page<Book>>(base)).total).toBe(total);
    const { book } = await api.post<{ book: Book }>(`${base}/import`, getFile(5_000));
    expect(book.entry_count).toBe(5_000);
    expect(await getRejection("POST", `${base}/${book.id}/entries`, { content: "one more" })).toMatchObject({
      status: 409,
    });
    expect(await api.get(`${base}/${book.id}`)).toMatchObject({ entries_truncated: true });
    const { matches } = await api.post<{ matches: readonly object[] }>(`${base}/test-match`, { message: "k4999 " });
    expect(matches).toContainEqual(expect.objectContaining({ matched_keywords: ["k4999"] }));
    await api.send("DELETE", `${base}/${book.id}`);
  });
});

describe("regular expressions that are not evaluated", () => {
  test("are reported in the entry's warnings, in a test-match and in a turn's record", async () => {
    await using models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
    await using bare = await startParley({ config: "[plugins]\nfilter = off\n" });
    const client = await bare.signIn();
    const model = { name: "m", model: "m", base_url: models.baseUrl };
    const { id: modelId } = await client.post<{ id: string }>("/api/ai-models", model);
    await client.post(`/api/ai-models/${modelId}/apply`, {});
    const entries = [{ name: "Dragon", keywords: ["drag(on|oness)"], use_regex: true, content: "It sleeps." }];
    const book = await client.post<Book>(base, { name: "Bare", entries });
    const [entry] = (await client.get<Page<Entry>>(`${base}/${book.id}/entries`)).items;
    expect(entry?.warnings).toEqual([expect.stringContaining("are not matched")]);
    const trial = await client.post(`${base}/test-match`, { message: "the dragon" });
    const dropped = [{ entry_id: entry?.id, entry_name: "Dragon", world_book_id: book.id, reason: "not_searched" }];
    expect(trial).toMatchObject({ matches: [], dropped });
    const session = await client.post<{ id: string }>("/api/sessions", {});
    const { trace_id } = await client.post<{ trace_id: string }>(`/api/sessions/${session.id}/chat`, {
      content: "the dragon",
    });
    const path = `/api/gateway/events/${trace_id}`;
    await eventually(async () => {
      const { items } = await client.get<{ items: readonly { metadata?: object }[] }>(path);
      expect(items.map(({ metadata }) => metadata)).toContainEqual(
        expect.objectContaining({ what: "world_book", unsearched: 1 }),
      );
    });
  });
});

describe("test-match", () => {
  test("shows the activated entries of several sources, with scores and positions of their words", async () => {
    const { id } = await createBook({
      entries: [
        {
          name: "Tavern",
          keywords: ["tavern"],
          content: "An old inn",
          entry_type: "location",
          priority: 10,
          state_triggers: { location: ["tavern"] },
          cooldown_turns: 5,
        },
        { name: "Pair", keywords: ["walk", "run"], match_mode: "all", content: "Both" },
        { name: "Quiet", keywords: ["dragon"], content: "Not here" },
      ],
    });
    const asked = {
      message: "I walk into the tavern",
      recent_messages: [{ role: "assistant", content: "The road ends here." }],
      scene: { location: "tavern" },
      book_ids: [id],
    };
    // A test-match does not count as an insertion: the entry matches the second time too.
    await api.post(`${base}/test-match`, asked);
    expect(await api.post(`${base}/test-match`, { ...asked, every_entry: true })).toEqual({
      mode: "multi",
      matches: [
        {
          world_book_id: id,
          world_book_name: "Town",
          entry_id: expect.any(String),
          entry_name: "Tavern",
          entry_type: "location",
          matched_keywords: ["tavern"],
          trigger_sources: ["user", "scene_state"],
          hits: [
            { place: "user", keyword: "tavern", start: 16, end: 22 },
            { place: "scene_state", keyword: "tavern", start: 0, end: 6 },
          ],
          score: 105,
          priority: 10,
          weight: 0,
          content_preview: "An old inn",
          injected: true,
          chars: 10,
        },
      ],
      dropped: [
        expect.objectContaining({ entry_name: "Pair", reason: "match_mode" }),
        expect.objectContaining({ entry_name: "Quiet", reason: "not_found" }),
      ],
      injected_chars: 10,
    });
  });

  test("examines only the message by default, and the books that apply to its conversation", async () => {
    const mira = await api.post<{ id: string }>("/api/characters", { name: "Mira" });
    const hers = await createBook({ character_ids: [mira.id], entries: [{ keywords: ["lamp"], content: "hers" }] });
    const off = await createBook({ enabled: false, entries: [{ keywords: ["lamp"], content: "off" }] });
    const found = async (more: object) =>
      (
        await api.post<{ mode: string; matches: { content_preview: string }[] }>(`${base}/test-match`, {
          message: "a lamp",
          ...more,
        })
      ).matches.map(({ content_preview }) => content_preview);
    expect(await found({})).toEqual([]);
    expect(await found({ character_id: mira.id })).toEqual(["hers"]);
    expect(await found({ book_ids: [hers.id, off.id] })).toEqual(["hers"]);
    const matchRejected = (more: object) => getRejection("POST", `${base}/test-match`, { message: "x", ...more });
    expect(await matchRejected({ message: " " })).toMatchObject({ status: 400 });
    expect(await matchRejected({ message: "", scene: {} })).toMatchObject({ status: 200 });
    expect(await matchRejected({ character_id: "char_none" })).toMatchObject({ status: 404 });
    expect(await matchRejected({ book_ids: ["book_none"] })).toMatchObject({ status: 404 });
    expect(await matchRejected({ recent_messages: [{ role: "system", content: "x" }] })).toMatchObject({ status: 400 });
  });
});

describe("files", () => {
  const card = { keys: ["inn"], content: "An inn.", extensions: { probability: 50 }, x_own: 1 };

  test("are imported from a body or a form, under a chosen name, and exported raw or enveloped", async () => {
    const { json } = await api.send("POST", `${base}/import`, file({ entries: [card] }, { name: "Port" }));
    expect(json?.data).toMatchObject({ book: { name: "Port" }, imported_entries: 1, failed_entries: 0 });
    const { book } = Object(json?.data) as { book: Book };
    const named = await api.send("POST", `${base}/import?name=Over&character_ids=Mira,Ann`, file({ entries: [card] }));
    expect(named.json?.data).toMatchObject({ book: { name: "Over", character_ids: ["Mira", "Ann"] } });
    expect(await api.get(`${base}/export/${book.id}?format=v2`)).toMatchObject({ entries: [card] });
    expect(await api.get(`${base}/export/${book.id}?format=v3`)).toMatchObject({ spec: "lorebook_v3" });
    const raw = await api.send("GET", `${base}/export/${book.id}?download=true`);
    expect(raw.headers.get("content-disposition")).toContain('filename="Port.json"');
    expect(JSON.parse(raw.text)).toMatchObject({ type: "world_book", world_book: { id: book.id } });
    // A saved API response can be imported.
    const saved = JSON.parse((await api.send("GET", `${base}/export/${book.id}`)).text);
    const again = await api.post<{ book: Book }>(`${base}/import`, saved);
    expect(again.book).toMatchObject({ name: "Port", entry_count: 1 });
    expect(again.book.id).not.toBe(book.id);
    for (const wrong of [{}, { entries: 1 }, { spec: "lorebook_v3" }]) {
      expect(await getRejection("POST", `${base}/import`, wrong)).toMatchObject({ status: 400 });
    }
    expect(await getRejection("GET", `${base}/export/${book.id}?format=pdf`)).toMatchObject({ status: 400 });
  });

  test("all books are exported and imported together, each completely or not at all; a list is accepted too", async () => {
    const all = await api.get<{ total: number; world_books: readonly Book[] }>(`${base}/export-all`);
    expect(all.total).toBe(all.world_books.length);
    const before = (await api.get<Page<Book>>(base)).total;
    const came = await api.post<{ imported: number; failed: number }>(`${base}/import-all`, all);
    expect(came).toMatchObject({ imported: all.total, failed: 0 });
    expect((await api.get<Page<Book>>(base)).total).toBe(before + all.total);
    const list = [
      { name: "One", entries: [] },
      { name: "Bad", entries: 7 },
    ];
    const { json } = await api.send("POST", `${base}/import-all`, { body: JSON.stringify(list) });
    expect(json?.data).toMatchObject({
      imported: 1,
      failed: 1,
      items: [{ index: 0, name: "One" }],
      errors: [{ index: 1, name: "Bad", detail: { key: "world_books.no_book" } }],
    });
    expect((await api.send("POST", `${base}/import-all`, file(list))).json?.data).toMatchObject({ imported: 1 });
    expect(await getRejection("POST", `${base}/import-all`, { world_books: [] })).toMatchObject({ status: 400 });
  });

  test("a newer file is compared with a book, entry by entry", async () => {
    const { book } = await api.post<{ book: Book }>(`${base}/import`, {
      entries: [
        { ...card, id: 1 },
        { ...card, id: 2, keys: ["mill"] },
        { ...card, id: 3, keys: ["sea"] },
      ],
    });
    const newer = {
      entries: [
        { ...card, id: 1 },
        { ...card, id: 2, keys: ["mill"], content: "It burnt." },
        { ...card, id: 4, keys: ["new"] },
      ],
    };
    expect(await api.post(`${base}/${book.id}/compare`, newer)).toMatchObject({
      same: 1,
      changed: [{ name: "mill", fields: ["content"], patch: { content: "It burnt." } }],
      added: [{ keywords: ["new"] }],
      removed: [{ name: "sea" }],
    });
  });
});
