import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let models: ModelServer;
let parley: Parley;
let api: Client;
let root: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-card-rules-"));
  models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
  parley = await startParley({ root });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

interface Imported {
  readonly saved: { readonly id: string };
}
interface Sent {
  readonly role: string;
  readonly content: unknown;
}
const importCard = async (fields: object) => {
  const data = { name: "Miranda", description: "An elf.", first_mes: "", ...fields };
  const card = { spec: "chara_card_v3", spec_version: "3.0", data };
  return (await api.post<Imported>("/api/personality/import?as=character", card)).saved.id;
};
const openSession = async (character_id: string) =>
  (await api.post<{ id: string }>("/api/sessions", { character_id })).id;
const say = async (session: string, content: string) => {
  await api.post(`/api/sessions/${session}/chat`, { content });
  // The character's mood is judged by requests of their own.
  const sent = models.requests.map(({ body }) => (body.messages ?? []) as readonly Sent[]);
  return sent.findLast((messages) => !textOf(messages).includes("You judge")) ?? [];
};
const textOf = (messages: readonly Sent[]) => JSON.stringify(messages);

describe("a card with a nickname", () => {
  test("calls itself by it in its texts, its greeting and its lorebook", async () => {
    const id = await importCard({
      nickname: "Mi",
      description: "<BOT> is shy. {{char}} likes {{user}}.",
      first_mes: "I am {{char}}.",
      character_book: {
        extensions: {},
        entries: [
          { keys: ["{{char}}"], content: "{{char}} has wings.", extensions: {}, enabled: true, insertion_order: 1 },
        ],
      },
    });
    const session = await openSession(id);
    const { items } = await api.get<{ items: readonly { content: string }[] }>(`/api/sessions/${session}/messages`);
    expect(items.map(({ content }) => content)).toEqual(["I am Mi."]);
    const prompt = textOf(await say(session, "hello Mi"));
    expect(prompt).toContain("You are Miranda.");
    expect(prompt).toContain("Mi is shy. Mi likes ");
    expect(prompt).toContain("Mi has wings.");
  });
});

describe("a card's text between the messages", () => {
  const withDepth = (depth: unknown, role = "system") =>
    importCard({ extensions: { depth_prompt: { prompt: "{{char}} never lies.", depth, role } } });
  const placeOf = (messages: readonly Sent[]) =>
    messages.findIndex(({ content }) => JSON.stringify(content).includes("Miranda never lies."));

  test.each([
    [2, "system"],
    ["", "system"],
    [0, "system"],
    [1, "user"],
    [2, "assistant"],
  ])("stands at depth %j as %s", async (depth, role) => {
    const session = await openSession(await withDepth(depth, role));
    for (const text of ["one", "two", "three"]) await say(session, text);
    const messages = await say(session, "four");
    const after = messages.length - 1 - placeOf(messages);
    expect(placeOf(messages)).toBeGreaterThan(0);
    expect(after).toBeLessThanOrEqual(depth === "" ? 4 : Number(depth));
    if (role === "assistant") expect(messages[placeOf(messages)]?.role).toBe("assistant");
  });

  test("is missing where the card has none", async () => {
    const session = await openSession(await importCard({ extensions: { depth_prompt: { prompt: "", depth: 4 } } }));
    expect(placeOf(await say(session, "one"))).toBe(-1);
  });
});

describe("the regex scripts of a card", () => {
  const withScripts = (...regex_scripts: readonly object[]) => importCard({ extensions: { regex_scripts } });
  const listTexts = async (session: string) => {
    const { items } = await api.get<{ items: readonly { content: string }[] }>(`/api/sessions/${session}/messages`);
    return items.map(({ content }) => content);
  };
  const input = { findRegex: "/cat/gi", replaceString: "dog", placement: [1] };

  test("change what the person writes and what the character answers, as written", async () => {
    const id = await withScripts(
      input,
      { findRegex: "/(\\w+) wine/", replaceString: "$1 juice for {{user}}", placement: [2] },
      { findRegex: "juice", replaceString: "[{{match}}]", trimStrings: ["ui"], placement: [2] },
    );
    const session = await openSession(id);
    models.script.push({ kind: "text", text: "red wine, white wine" });
    const prompt = textOf(await say(session, "a Cat and a cat"));
    expect(prompt).toContain("a dog and a dog");
    expect(await listTexts(session)).toEqual(["a dog and a dog", "red [jce] for admin, white wine"]);
  });

  test("change only the prompt where they say so, at their depth", async () => {
    const id = await withScripts({ ...input, promptOnly: true, minDepth: 1 });
    const session = await openSession(id);
    await say(session, "an old cat");
    const prompt = textOf(await say(session, "a new cat"));
    expect(prompt).toContain("an old dog");
    expect(prompt).toContain("a new cat");
    expect(await listTexts(session)).toEqual(["an old cat", "fine", "a new cat", "fine"]);
  });

  test("write no text that a database cannot store", async () => {
    const session = await openSession(
      await withScripts(
        { findRegex: "cat", replaceString: "d\u0000g", placement: [1] },
        { findRegex: "/\\uD83D/", replaceString: "", placement: [1] },
        { findRegex: "fine", replaceString: "\u0000well \uD83D", placement: [2] },
      ),
    );
    await say(session, "a cat 😀");
    expect(await listTexts(session)).toEqual(["a dg \uFFFD", "well \uFFFD"]);
  });

  test("do nothing when they are off, change only what is shown, are invalid or for another place", async () => {
    const id = await withScripts(
      { ...input, disabled: true },
      { ...input, markdownOnly: true },
      { ...input, placement: [3] },
      { ...input, findRegex: "/(/" },
      { ...input, findRegex: "" },
      {},
    );
    const session = await openSession(id);
    await say(session, "a cat");
    expect(await listTexts(session)).toEqual(["a cat", "fine"]);
  });

  test("leave commands alone", async () => {
    const session = await openSession(await withScripts({ findRegex: "/help/", replaceString: "new", placement: [1] }));
    await api.post(`/api/sessions/${session}/chat`, { content: "/help" });
    expect(await listTexts(session)).not.toContain("/new");
  });

  test("that never end are skipped, and suspended after two messages", async () => {
    const id = await withScripts({ findRegex: "/^(a+)+$/", replaceString: "x", placement: [1] }, input);
    const session = await openSession(id);
    const endless = `${"a".repeat(60)} cat`;
    for (let count = 0; count < 3; count += 1) await say(session, endless);
    const texts = await listTexts(session);
    expect(texts.filter((text) => text === `${"a".repeat(60)} dog`)).toHaveLength(3);
  });

  test("fill names in their expressions as the card says", async () => {
    const by = (substituteRegex: number, sign: string) => ({
      ...{ findRegex: "/{{char}}/g", replaceString: sign, placement: [1], substituteRegex },
    });
    const session = await openSession(await withScripts(by(0, "none"), by(1, "her")));
    await say(session, "Miranda and {{char}}");
    expect((await listTexts(session))[0]).toBe("her and none");
  });
});

test("the placeholders of cards are filled from the conversation", async () => {
  const id = await importCard({
    description: "LAST={{lastCharMessage}} ROLL={{roll:1d1}} IDLE={{idle_duration}} {{comment: x}}END",
  });
  const session = await openSession(id);
  await say(session, "one");
  expect(textOf(await say(session, "two"))).toContain("LAST=fine ROLL=1 IDLE=a few seconds END");
});

test("an import names what of the card has no effect", async () => {
  const data = {
    name: "Mira",
    description: "{{setvar::a::1}}{{getvar::a}}",
    first_mes: "{{getvar::a}}",
    extensions: { regex_scripts: [{ findRegex: "/x/" }, { findRegex: "/y/", disabled: true }] },
    assets: [
      { type: "icon", uri: "ccdefault:", name: "main", ext: "png" },
      { type: "emotion", uri: "https://example.com/a.png", name: "joy", ext: "png" },
    ],
  };
  const card = { spec: "chara_card_v3", spec_version: "3.0", data };
  const path = "/api/personality/import?as=character";
  expect((await api.post<{ warnings: readonly string[] }>(path, card)).warnings).toEqual([
    "1 regex script is kept but not run",
    "1 expression picture is kept but not shown",
    "these placeholders are not filled: {{setvar}}, {{getvar}}",
  ]);
});
