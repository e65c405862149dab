import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let models: ModelServer;
let parley: Parley;
let api: Client;
let root: string;

const start = async () => {
  parley = await startParley({ root });
  api = await parley.signIn();
};

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-world-info-"));
  models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
  await start();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});
afterEach(async () => {
  const { items } = await api.get<{ items: readonly { id: string }[] }>("/api/world-books");
  for (const { id } of items) await api.send("DELETE", `/api/world-books/${id}`);
});

interface Imported {
  readonly book: { readonly id: string; readonly behaviour: string };
}
const lore = (content: string, more: object = {}) => ({ key: ["inn"], content, order: 100, position: 0, ...more });
const importFile = async (...entries: readonly object[]) =>
  (await api.post<Imported>("/api/world-books/import", { entries: Object.fromEntries(entries.entries()) })).book;
const openSession = async (draft: object = {}) => (await api.post<{ id: string }>("/api/sessions", draft)).id;
const say = async (session: string, content: string) => {
  await api.post(`/api/sessions/${session}/chat`, { content });
  return lastPrompt();
};
const lastPrompt = () => JSON.stringify(models.requests.at(-1)?.body.messages ?? []);

describe("a book from a World Info file", () => {
  test("says whose rules it follows, inserts all its constants as ordered, and can be changed to our rules", async () => {
    const rules = Array.from({ length: 15 }, (_, at) =>
      lore(`RULE-${at}. ${"Every rule of the realm matters. ".repeat(9)}`, { key: [], constant: true, order: at }),
    );
    const { id, behaviour } = await importFile(...rules.toReversed());
    expect(behaviour).toBe("world_info");
    const session = await openSession();
    const places = () => rules.map((_, at) => lastPrompt().indexOf(`RULE-${at}.`));
    await say(session, "hello");
    expect(places().every((place) => place > 0)).toBe(true);
    expect(places()).toEqual(places().toSorted((a, b) => a - b));
    await api.send("PUT", `/api/world-books/${id}`, { body: { behaviour: "native" } });
    await say(session, "hello");
    expect(places().filter((place) => place > 0)).toHaveLength(2);
  });

  test("acts on decorators, which the model does not see, and explains itself in a test", async () => {
    const { id } = await importFile(
      lore("@@depth 2\n@@role user\nThe castle is old.", { key: ["castle"] }),
      lore("@@dont_activate\nNever shown.", { key: ["castle"] }),
    );
    const session = await openSession();
    await say(session, "hello");
    const prompt = await say(session, "the castle");
    expect(prompt).toContain("The castle is old.");
    expect(prompt).not.toContain("@@");
    expect(prompt).not.toContain("Never shown.");
    const asked = { message: "the castle", book_ids: [id] };
    const { matches, dropped } = await api.post<Record<string, readonly object[]>>(
      "/api/world-books/test-match",
      asked,
    );
    expect(matches).toMatchObject([{ injected: true, matched_keywords: ["castle"] }, { injected: false }]);
    expect(dropped).toMatchObject([{ reason: "decorator", hits: [{ place: "user", start: 4, end: 10 }] }]);
  });

  test("searches the whole text, with the character's name in keywords and expressions", async () => {
    const { id: characterId } = await api.post<{ id: string }>("/api/characters", { name: "Mira", tags: ["elf"] });
    await importFile(
      lore("RUSTY", { key: ["sword"], keysecondary: ["rusty"], selective: true }),
      lore("BY-NAME", { key: ["{{char}} sleeps"] }),
      lore("BY-TAG", { key: [], constant: true, characterFilter: { names: [], tags: ["elf"], isExclude: false } }),
      lore("NOT-HER", { key: [], constant: true, characterFilter: { names: ["Mira"], tags: [], isExclude: true } }),
    );
    models.script.push({ kind: "text", text: "a rusty thing" });
    const session = await openSession({ character_id: characterId });
    await say(session, "hello");
    const prompt = await say(session, "the sword; Mira sleeps");
    for (const text of ["RUSTY", "BY-NAME", "BY-TAG"]) expect(prompt).toContain(text);
    expect(prompt).not.toContain("NOT-HER");
  });
});

describe("a sticky entry with a cooldown", () => {
  const file = () => importFile(lore("STICKY-LORE", { sticky: 3, cooldown: 2, scanDepth: 1 }));

  test("stays over a restart, rests, and comes again", async () => {
    await file();
    const session = await openSession();
    expect(await say(session, "hello")).not.toContain("STICKY-LORE");
    expect(await say(session, "the inn")).toContain("STICKY-LORE");
    await parley[Symbol.asyncDispose]();
    await start();
    // Two messages later it is active, four and five later it rests.
    expect(await say(session, "go on")).toContain("STICKY-LORE");
    expect(await say(session, "back to the inn")).not.toContain("STICKY-LORE");
    expect(await say(session, "the inn once more")).toContain("STICKY-LORE");
  });

  test("is as if it had never been active when its turn is answered anew or deleted", async () => {
    await file();
    const session = await openSession();
    await say(session, "the inn");
    const regenerate = () => api.post(`/api/sessions/${session}/regenerate`, {});
    await regenerate();
    expect(lastPrompt()).toContain("STICKY-LORE");
    expect(await say(session, "go on")).toContain("STICKY-LORE");
    await regenerate();
    expect(lastPrompt()).toContain("STICKY-LORE");
    const path = `/api/sessions/${session}/messages`;
    const { items } = await api.get<{ items: readonly { id: string }[] }>(path);
    for (const { id } of items) await api.send("DELETE", `${path}/${id}`);
    expect(await say(session, "go on")).not.toContain("STICKY-LORE");
  });

  test("begins anew when it is edited", async () => {
    const { id } = await file();
    const session = await openSession();
    await say(session, "the inn");
    const { items } = await api.get<{ items: readonly { id: string }[] }>(`/api/world-books/${id}/entries`);
    await api.send("PUT", `/api/world-books/${id}/entries/${items[0]?.id}`, { body: { content: "EDITED-LORE" } });
    expect(await say(session, "go on")).not.toContain("EDITED-LORE");
    expect(await say(session, "the inn")).toContain("EDITED-LORE");
  });

  test("is not counted by a turn that failed", async () => {
    await file();
    const session = await openSession();
    models.script.push({ kind: "status", status: 400 });
    await api.send("POST", `/api/sessions/${session}/chat`, { body: { content: "the inn" } });
    models.script.splice(0);
    await say(session, "well");
    expect(await say(session, "go on")).not.toContain("STICKY-LORE");
  });
});

test("a book of ours stays ours when it is exported as a card and imported again", async () => {
  const { id } = await api.post<{ id: string }>("/api/world-books", { name: "Ours", entries: [{ content: "x" }] });
  for (const format of ["v2", "v3", "worldinfo", "native"]) {
    const file = await api.get<object>(`/api/world-books/export/${id}?format=${format}`);
    expect((await api.post<Imported>("/api/world-books/import", file)).book.behaviour).toBe("native");
  }
});
