import { type ReplayServer, startReplayServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/client.ts";
import { createFakeChannel } from "../harness/fake-channel.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { soon } from "../harness/soon.ts";

// People on a platform whose model cannot answer before somebody changes the setup: they are told at once, and once.

const fake = createFakeChannel();
const SORRY = ["Sorry, this could not be answered. Please try again later.", "抱歉，暂时无法回答，请稍后再试。"];
let provider: ReplayServer;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  provider = await startReplayServer();
  parley = await startParley({ plugins: [fake.plugin] });
  api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

test.each([
  ["rejects its key", 401, {}],
  ["may not be used", 403, {}],
  ["is not there", 404, {}],
  ["has no credit left", 402, {}],
  ["rejects the request", 400, {}],
  ["has no key", 0, { base_url: "https://api.openai.com/v1" }],
])("a model that %s is asked once, and its failure is told at once", async (_why, status, more) => {
  const draft = { name: `M ${_why}`, model: "m", base_url: provider.address, retry_count: 0, ...more };
  const { id } = await api.post<{ id: string }>("/api/ai-models", draft);
  await api.post(`/api/ai-models/${id}/apply`, {});
  const [asked, sent] = [provider.calls.length, fake.sent.length];
  for (let one = 0; one < 2; one += 1) provider.answers.push({ status, body: { error: { message: "no" } } });
  await fake.say(`team-${id}`, "Why?");
  await soon(() => expect(fake.sent.length).toBe(sent + 1));
  expect(SORRY).toContain(fake.sent.at(-1)?.text);

  expect(provider.calls.length).toBe(asked + (status === 0 ? 0 : 1));
  provider.answers.length = 0;
  await api.post(`/api/ai-models/${id}/toggle`, { enabled: false });
});
