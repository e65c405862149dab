import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Character, Message, Session, TimelineEntry } from "@parley/core";
import type { List } from "@parley/core/http";
import { type ImbServer, type ModelServer, startImbServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const PASSWORD = "correct horse";
const SECRET = "webhook-secret";
const IMB = "imB:11";
const PRAISE = "good job";
const PICTURE = "https://pictures.example/a.gif";

let root: string;
let models: ModelServer;
let platform: ImbServer;
let stickers: Server;
let env: Readonly<Record<string, string>>;
/** Requested categories of stickers. */
const asked: string[] = [];
/** The process that a failing test would leave running. */
let dying: ParleyProcess | undefined;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-character-"));
  stickers = createServer((request, response) => {
    asked.push((request.url ?? "").split("/").at(-1) ?? "");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ results: [{ url: PICTURE }] }));
  });
  await new Promise<void>((done) => stickers.listen(0, "127.0.0.1", done));
  models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
  platform = await startImbServer();
  env = {
    SVC_ADMIN_PASSWORD: PASSWORD,
    IMB_BOT_TOKEN: "42:secret",
    IMB_WEBHOOK_SECRET: SECRET,
    SVC_STICKER_ENABLED: "yes",
    SVC_STICKER_PROBABILITY: "1",
    SVC_STICKER_API_URL: `http://127.0.0.1:${(stickers.address() as AddressInfo).port}/`,
  };
});
afterAll(async () => {
  dying?.child.kill("SIGKILL");
  await platform[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  stickers.close();
  rmSync(root, { recursive: true, force: true });
});

async function signIn(address: string): Promise<Client> {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
}

/** Reads the state of a conversation: messages, character state, and cards beside the replies. */
async function readState(api: Client, character: string, session: string) {
  const path = `/api/sessions/${encodeURIComponent(session)}`;
  const { items } = await api.get<List<Message>>(`${path}/messages`);
  const { items: moves } = await api.get<List<TimelineEntry>>(`${path}/runtime-timeline`);
  const { mood, revision } = await api.get<{ mood: string; revision: number }>(
    `/api/characters/${character}/state?session_id=${encodeURIComponent(session)}`,
  );
  const answers = items.filter(({ role }) => role === "assistant");
  return {
    roles: items.map(({ role }) => role).join(" "),
    stickers: answers.map(({ attachments }) => attachments.filter(({ type }) => type === "sticker").length),
    // Each answer has one change of the relationship.
    hasOwnMoves:
      moves
        .map(({ message_id }) => message_id)
        .toSorted()
        .join() ===
      answers
        .map(({ id }) => id)
        .toSorted()
        .join(),
    moves: moves.map(({ user_message, state }) => `${user_message}: ${state.mood}`),
    mood,
    revision,
  };
}

const after = (count: number) => ({
  roles: Array.from({ length: count }, () => "user assistant").join(" "),
  stickers: Array.from({ length: count }, () => 1),
  hasOwnMoves: true,
  moves: Array.from({ length: count }, () => `${PRAISE}: 开心`),
  mood: "开心",
  revision: count,
});

test("a character's state is the same on the web and on imB, over a restart and a kill during an answer", async () => {
  let receivedCount = 0;
  const hear = async (api: Client, text: string) => {
    receivedCount += 1;
    const from = { id: 501, first_name: "Lin" };
    const message = { message_id: receivedCount, from, chat: { id: 11, type: "private" }, text };
    const { status } = await api.send("POST", "/api/channels/imB/imB/webhook", {
      body: { update_id: receivedCount, message },
      headers: { "x-imb-bot-api-secret-token": SECRET },
      token: "",
    });
    expect(status).toBe(200);
  };
  const say = (api: Client, id: string, temp_id: string) =>
    api.post(`/api/sessions/${id}/chat`, { content: PRAISE, temp_id });
  const both = (api: Client, count: number) =>
    eventually(async () => {
      for (const session of [web, IMB]) expect(await readState(api, mira, session)).toEqual(after(count));
    });
  /** Counts the model's requests since then, and expects the character's description in each. */
  const eventsSince = (count: number) => {
    const asked = models.requests.slice(count).map(({ body }) => JSON.stringify(body.messages));
    for (const one of asked) expect(one).toContain("dry, loyal to");
    return asked.length;
  };
  /** Returns what the person on imB sees: expects each reply and its sticker once. */
  const seen = (count: number) => {
    const kinds = platform.messages.map(({ text, body }) => (body.animation === PICTURE ? "sticker" : text));
    expect(kinds).toEqual(Array.from({ length: count }, () => ["fine", "sticker"]).flat());
  };
  let mira = "";
  let web = "";

  {
    await using first = await startParley({ root, env });
    const api = await signIn(first.address);
    const model = { name: "m", model: "m", base_url: models.baseUrl };
    const { id } = await api.post<{ id: string }>("/api/ai-models", model);
    await api.post(`/api/ai-models/${id}/apply`, {});
    const card = { name: "Mira", personality: "dry, loyal to {{user}}" };
    mira = (await api.post<Character>("/api/characters", card)).id;
    web = (await api.post<Session>("/api/sessions", { character_id: mira })).id;
    await api.post("/api/channels/presets/imB", { config: { api_base: platform.address } });
    await api.put("/api/channels/imB", { capabilities: { supports_file_send: true } });
    // The first message creates the conversation; it is cleared before the character is bound.
    await hear(api, "hello");
    await eventually(async () => expect((await api.get<Session>(`/api/sessions/${IMB}`)).message_count).toBe(2));
    await eventually(() => seen(1));
    await api.put(`/api/sessions/${IMB}/bind-character`, { character_id: mira });
    await api.send("DELETE", `/api/sessions/${IMB}/messages`);
    asked.splice(0);
    const before = models.requests.length;
    await say(api, web, "first");
    await hear(api, PRAISE);
    await both(api, 1);
    expect(eventsSince(before)).toBe(2);
    expect(asked).toEqual(["happy", "happy"]);
    await eventually(() => seen(2));
  }

  dying = await startProcess({ root, env });
  const socket = await signIn(dying.address);
  await both(socket, 1);
  // Both messages are being answered when the service is killed.
  models.script.push({ kind: "hang", text: "fi" }, { kind: "hang", text: "fi" });
  const before = models.requests.length;
  const lost = say(socket, web, "second").then(
    () => "answered",
    () => "lost",
  );
  await hear(socket, PRAISE);
  await eventually(() => expect(eventsSince(before)).toBe(2));
  dying.child.kill("SIGKILL");
  expect(await dying.ended).toBe("SIGKILL");
  expect(await lost).toBe("lost");

  await using third = await startParley({ root, env });
  const api = await signIn(third.address);
  // Repeats the message, because it was not acknowledged.
  await say(api, web, "second");
  await both(api, 2);
  expect(eventsSince(before)).toBe(4);
  await eventually(() => seen(3));
  // Another repetition changes nothing.
  await say(api, web, "second");
  await both(api, 2);
  seen(3);
  expect(models.requests.length).toBe(before + 4);
}, 180_000);
