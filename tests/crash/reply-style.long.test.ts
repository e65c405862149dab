import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message, Session } from "@parley/core";
import { type ImbServer, type ModelServer, startImbServer, startModelServer } from "@parley/simulators";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const PARTS = ["Yes.", "I was there myself, all of the long day.", "And then it rained until the next morning."];

let root: string;
let platform: ImbServer;
let models: ModelServer;

beforeEach(async () => {
  [platform, models] = await Promise.all([startImbServer(), startModelServer()]);
  root = mkdtempSync(join(tmpdir(), "parley-parts-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = warn\n[plugin.gateway]\nslow_reply =\n");
  writeFileSync(join(root, "failpoint"), "");
});
afterEach(async () => {
  await platform[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

async function start(): Promise<{ readonly service: ParleyProcess; readonly api: Client }> {
  const tokens = { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "sesame" };
  const points = { SVC_TEST: "1", SVC_FAILPOINT: `file:${join(root, "failpoint")}` };
  const service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: "correct horse", ...tokens, ...points } });
  onTestFinished(() => void service.child.kill("SIGKILL"));
  const open = createClient(service.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: "correct horse" });
  return { service, api: open.as(token) };
}

async function setUp(api: Client) {
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  const config = { api_base: platform.address, reply_style: "sentences", burst: "off" };
  await api.post("/api/channels/presets/imB", { config });
  await eventually(async () => expect((await api.send("GET", "/api/channels")).text).toContain('"connected":true'));
}

function write(api: Client, update_id: number, text: string) {
  const person = { id: 7, first_name: "Lin" };
  const body = {
    update_id,
    message: { message_id: update_id, from: person, chat: { ...person, type: "private" }, text },
  };
  const headers = { "x-imb-bot-api-secret-token": "sesame" };
  return api.send("POST", "/api/channels/imB/imB/webhook", { token: "", body, headers });
}

const listTexts = () => platform.messages.map(({ text }) => text);
async function listAnswers(api: Client): Promise<readonly Message[]> {
  const { items } = await api.get<{ items: readonly Session[] }>("/api/sessions?channel_id=imB");
  const path = `/api/sessions/${encodeURIComponent(items[0]?.id ?? "")}/messages`;
  return (await api.get<{ items: readonly Message[] }>(path)).items.filter(({ role }) => role === "assistant");
}

/** Starts a service that dies while the second part of its answer waits. */
async function startAnswer() {
  const { service, api } = await start();
  await setUp(api);
  models.script.push({ kind: "text", text: PARTS.join(" ") });
  await write(api, 1, "were you there?");
  await eventually(() => expect(listTexts()).toEqual(PARTS.slice(0, 1)));
  const deliveries = "/api/gateway/deliveries?status=delivered";
  await eventually(async () => expect(await api.get<{ total: number }>(deliveries)).toMatchObject({ total: 1 }));
  return { service, api };
}

test("the rest of an answer is sent once after a kill between its parts", async () => {
  const { service } = await startAnswer();
  service.child.kill("SIGKILL");
  await service.ended;
  await start();
  await eventually(() => expect(listTexts()).toEqual(PARTS));
}, 60_000);

test("the rest stays unsaid when the service dies just after the person wrote again", async () => {
  const { service, api } = await startAnswer();
  writeFileSync(join(root, "failpoint"), "committed-inbox");
  await write(api, 2, "never mind").catch(() => undefined);
  await service.ended;
  writeFileSync(join(root, "failpoint"), "");
  models.script.push({ kind: "text", text: "As you like." });
  const living = await start();
  await eventually(() => expect(listTexts()).toEqual(["Yes.", "As you like."]));
  const [first] = await listAnswers(living.api);
  expect([first?.content, first?.metadata.unsaid]).toEqual(["Yes.", PARTS.slice(1).join(" ")]);
}, 60_000);
