import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Character, Message, Session, TimelineEntry } from "@parley/core";
import { type ImbServer, type ModelServer, startImbServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../harness/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { soon } from "../harness/soon.ts";

const PASSWORD = "correct horse";
const SECRET = "webhook-secret";
const IMB = "imB:11";

let root: string;
let models: ModelServer;
let platform: ImbServer;
let stickers: Server;
let address: string;
const asked: string[] = [];
/** What a test that fails leaves running. */
const running: ParleyProcess[] = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-character-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = warn\n");
  stickers = createServer((request, response) => {
    asked.push((request.url ?? "").split("/").at(-1) ?? "");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ results: [{ url: "https://pictures.example/a.gif" }] }));
  });
  await new Promise<void>((done) => stickers.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(stickers.address() as AddressInfo).port}/`;
  models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
  platform = await startImbServer();
});
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await platform[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  stickers.close();
  rmSync(root, { recursive: true, force: true });
});

async function start(): Promise<ParleyProcess> {
  const started = await startProcess({
    root,
    env: {
      SVC_ADMIN_PASSWORD: PASSWORD,
      IMB_BOT_TOKEN: "42:secret",
      IMB_WEBHOOK_SECRET: SECRET,
      SVC_STICKER_ENABLED: "yes",
      SVC_STICKER_PROBABILITY: "1",
      SVC_STICKER_API_URL: address,
    },
  });
  running.push(started);
  return started;
}

async function signIn({ address: at }: ParleyProcess): Promise<Client> {
  const open = createClient(at, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
}

/** How a conversation stands: what was said, what the character felt, and what stood beside the answers. */
async function standing(api: Client, character: string, session: string) {
  const path = `/api/sessions/${encodeURIComponent(session)}`;
  const { items } = await api.get<{ items: readonly Message[] }>(`${path}/messages`);
  const { items: moved } = await api.get<{ items: readonly TimelineEntry[] }>(`${path}/runtime-timeline`);
  const state = await api.get<{ mood: string; revision: number }>(
    `/api/characters/${character}/state?session_id=${encodeURIComponent(session)}`,
  );
  return {
    roles: items.map(({ role }) => role).join(" "),
    stickers: items.flatMap(({ attachments }) => attachments.filter(({ type }) => type === "sticker")).length,
    moves: moved.length,
    mood: state.mood,
    revision: state.revision,
  };
}

const told = () => JSON.stringify(models.requests.at(-1)?.body.messages ?? []);
const turns = (count: number) => Array.from({ length: count }, () => "user assistant").join(" ");
const after = (count: number) => ({
  roles: turns(count),
  stickers: count,
  moves: count,
  mood: "开心",
  revision: count,
});

test("a character stays who it is on the web and on imB, over a restart and a kill in the middle of an answer", async () => {
  let update = 0;
  const hear = async (api: Client, text: string) => {
    update += 1;
    const message = {
      message_id: update,
      from: { id: 501, first_name: "Lin" },
      chat: { id: 11, type: "private" },
      text,
    };
    const body = { update_id: update, message };
    const headers = { "x-imb-bot-api-secret-token": SECRET };
    await soon(async () => {
      const { status } = await api.send("POST", "/api/channels/imB/imB/webhook", { body, headers, token: "" });
      expect(status).toBe(200);
    });
  };
  const say = (api: Client, id: string) => api.post(`/api/sessions/${id}/chat`, { content: "good job" });
  const both = (api: Client, character: string, web: string, count: number) =>
    soon(async () => {
      for (const session of [web, IMB]) expect(await standing(api, character, session)).toEqual(after(count));
    });

  const first = await start();
  let api = await signIn(first);
  const model = { name: "m", model: "m", base_url: models.baseUrl };
  const { id: modelId } = await api.post<{ id: string }>("/api/ai-models", model);
  await api.post(`/api/ai-models/${modelId}/apply`, {});
  const mira = await api.post<Character>("/api/characters", { name: "Mira", personality: "dry, loyal to {{user}}" });
  await api.post("/api/channels/presets/imB", { config: { api_base: platform.address } });
  const web = await api.post<Session>("/api/sessions", { character_id: mira.id });
  // The conversation is there with the first message; what was said before the character came is cleared.
  await hear(api, "hello");
  await soon(async () => expect((await api.get<Session>(`/api/sessions/${IMB}`)).message_count).toBe(2));
  await api.put(`/api/sessions/${IMB}/bind-character`, { character_id: mira.id });
  await api.send("DELETE", `/api/sessions/${IMB}/messages`);
  asked.splice(0);
  await say(api, web.id);
  expect(told()).toContain("dry, loyal to");
  await hear(api, "good job");
  await both(api, mira.id, web.id, 1);
  expect(told()).toContain("dry, loyal to");
  expect(asked).toEqual(["happy", "happy"]);
  expect(await first.stop()).toBe(0);

  const second = await start();
  api = await signIn(second);
  await both(api, mira.id, web.id, 1);
  await say(api, web.id);
  await hear(api, "good job");
  await both(api, mira.id, web.id, 2);
  expect(told()).toContain("dry, loyal to");
  // Both are being answered when it dies.
  models.script.push({ kind: "hang", text: "fi" }, { kind: "hang", text: "fi" });
  const before = models.requests.length;
  api.post(`/api/sessions/${web.id}/chat`, { content: "good job", temp_id: "third" }).catch(() => {});
  await hear(api, "good job");
  await soon(() => expect(models.requests.length).toBe(before + 2));
  second.child.kill("SIGKILL");
  expect(await second.ended).toBe("SIGKILL");

  const third = await start();
  api = await signIn(third);
  await api.post(`/api/sessions/${web.id}/chat`, { content: "good job", temp_id: "third" });
  await both(api, mira.id, web.id, 3);
  expect(told()).toContain("dry, loyal to");
  expect(await third.stop()).toBe(0);
}, 240_000);
