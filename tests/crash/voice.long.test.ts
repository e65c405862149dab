import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "@parley/core";
import { startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { createRecording, startVoiceServer } from "../harness/servers/voice-server.ts";

const PASSWORD = "correct horse";
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "parley-voice-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = warn\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const start = () => startProcess({ root, env: { SVC_ADMIN_PASSWORD: PASSWORD } });

async function signIn({ address }: ParleyProcess): Promise<Client> {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
}

async function upload(api: Client, bytes: Buffer): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([Uint8Array.from(bytes)]), "voice.ogg");
  const headers = { authorization: `Bearer ${api.token}` };
  const answer = await fetch(`${api.address}/api/upload`, { method: "POST", body: form, headers });
  return ((await answer.json()) as { data: { url: string } }).data.url;
}

test("a voice message is transcribed once, also when the process is killed before the answer", async () => {
  await using models = await startModelServer();
  await using voice = await startVoiceServer();
  const dying = await start();
  const before = await signIn(dying);
  for (const [purpose, base_url] of [
    ["chat", models.baseUrl],
    ["stt", voice.baseUrl],
  ]) {
    await before.post("/api/ai-models", { name: purpose, model: "m", purpose, base_url, retry_count: 0 });
  }
  const { id } = await before.post<{ id: string }>("/api/sessions", {});
  const attachments = [{ type: "audio", url: await upload(before, createRecording("remember me", "ogg")) }];
  const readHistory = async (api: Client) =>
    (await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`)).items;
  models.script.push({ kind: "hang" });
  const asked = models.nextRequest();
  before.post(`/api/sessions/${id}/chat`, { content: "", attachments }).catch(() => {});
  await asked;
  await eventually(async () => expect(await readHistory(before)).toHaveLength(1));
  dying.child.kill("SIGKILL");
  await dying.ended;
  const living = await start();
  const api = await signIn(living);
  await eventually(async () => expect(await readHistory(api)).toHaveLength(2));
  expect((await readHistory(api))[0]).toMatchObject({ content: "remember me", attachments: [{ type: "audio" }] });
  expect(JSON.stringify(models.requests.at(-1)?.body.messages)).toContain("remember me");
  expect(voice.transcriptions).toHaveLength(1);
  expect(await living.stop()).toBe(0);
}, 120_000);
