import { definePlugin, ModelProtocols } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The attacker may change models but does not know the keys, and tries to have them sent to another server.

const STORED = "sk-stored-canary-aa11";
const OWN = "sk-environment-canary";
const opened: (string | undefined)[] = [];

/** A protocol with a fixed address that records the key it was opened with. */
const acme = definePlugin({
  id: "acme",
  register({ contribute }) {
    contribute(ModelProtocols, () => ({
      id: "acme",
      name: "Acme",
      purposes: ["chat"] as const,
      defaultBaseUrl: "https://api.acme.example/v1",
      keyVariable: "ACME_API_KEY",
      supports: { stream: false, tools: false, reasoning: false, vision: false },
      open({ apiKey }) {
        opened.push(apiKey);
        return {};
      },
    }));
  },
});

let parley: Parley;
let api: Client;
let mine: ModelServer;
let theirs: ModelServer;

beforeAll(async () => {
  [mine, theirs] = await Promise.all([startModelServer(), startModelServer()]);
  parley = await startParley({ plugins: [acme], env: { OPENAI_API_KEY: OWN, ACME_API_KEY: OWN, NAMED_KEY: OWN } });
  api = await parley.signIn();
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await Promise.all([mine[Symbol.asyncDispose](), theirs[Symbol.asyncDispose]()]);
});

interface Model {
  readonly id: string;
  readonly has_api_key: boolean;
  readonly api_key_masked: string;
}
const create = (more: object) => api.post<Model>("/api/ai-models", { name: "one", model: "m", ...more });
const tryOut = (id: string) => api.post<{ ok: boolean }>(`/api/ai-models/${id}/test`, {});
const formatReceivedKeys = (server: ModelServer) => JSON.stringify(server.requests.map(({ headers }) => headers));

test("a stored key does not move with its model, even when its mask is sent back", async () => {
  const { id, api_key_masked } = await create({ base_url: mine.baseUrl, api_key: STORED });
  expect(await tryOut(id)).toMatchObject({ ok: true });
  expect(formatReceivedKeys(mine)).toContain(STORED);
  const change = (body: object) => api.send("PUT", `/api/ai-models/${id}`, { body });
  expect(await change({ name: "renamed", api_key: api_key_masked })).toMatchObject({
    json: { data: { has_api_key: true } },
  });
  const moved = await change({ base_url: theirs.baseUrl, api_key: api_key_masked });
  expect(moved.json).toMatchObject({ data: { has_api_key: false }, message: expect.stringContaining("removed") });
  // The mask is not accepted as a key either.
  expect(await change({ api_key: api_key_masked })).toMatchObject({ json: { data: { has_api_key: false } } });
  await tryOut(id);
  expect(theirs.requests.length).toBeGreaterThan(0);
  expect(formatReceivedKeys(theirs)).not.toMatch(/aa11|canary/);
});

test("environment variables for a model's address do not move either, unless they are named again", async () => {
  const named = { api_key_env: "NAMED_KEY", extra_headers_env: { "x-tenant-key": "NAMED_KEY" } };
  const { id } = await create({ base_url: mine.baseUrl, ...named });
  await tryOut(id);
  expect(mine.requests.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${OWN}`, "x-tenant-key": OWN });
  const change = (body: object) => api.send("PUT", `/api/ai-models/${id}`, { body });
  expect(await change({ base_url: `${mine.baseUrl}/other` })).toMatchObject({ json: { data: named, message: "" } });
  const moved = await change({ base_url: theirs.baseUrl });
  expect(moved.json).toMatchObject({
    data: { api_key_env: null, extra_headers_env: {} },
    message: expect.stringContaining("NAMED_KEY"),
  });
  await tryOut(id);
  expect(formatReceivedKeys(theirs)).not.toContain("canary");
  const back = await change({ base_url: mine.baseUrl, api_key_env: "NAMED_KEY" });
  expect(back.json).toMatchObject({ data: { api_key_env: "NAMED_KEY" } });
});

test("the variable of the AI configuration is bound to its address, too", async () => {
  await api.put("/api/ai-config", { base_url: mine.baseUrl, model: "m", api_key_env: "NAMED_KEY" });
  const moved = await api.put<{ api_key_env: null }>("/api/ai-config", { base_url: theirs.baseUrl });
  expect(moved.api_key_env).toBeNull();
  await api.post("/api/ai-config/test", {});
  expect(formatReceivedKeys(theirs)).not.toContain("canary");
});

test("the same applies to the AI configuration and its test", async () => {
  const start = { base_url: mine.baseUrl, model: "m", api_key: STORED };
  const { api_key_masked } = await api.put<Model>("/api/ai-config", start);
  const test = (base_url: string) =>
    api.post<{ ok: boolean }>("/api/ai-config/test", { base_url, model: "m", api_key: api_key_masked });
  const before = theirs.requests.length;
  expect(await test(mine.baseUrl)).toMatchObject({ ok: true });
  expect(mine.requests.at(-1)?.headers.authorization).toBe(`Bearer ${STORED}`);
  await test(theirs.baseUrl);
  const moved = await api.put<Model>("/api/ai-config", { base_url: theirs.baseUrl, api_key: api_key_masked });
  expect(moved).toMatchObject({ has_api_key: false });
  await api.post("/api/ai-config/test", {});
  expect(theirs.requests.length).toBe(before + 2);
  expect(formatReceivedKeys(theirs)).not.toMatch(/aa11|canary/);
});

test.each(["openai_chat", "openai_responses"])(
  "a local server of %s is called without the key of OpenAI",
  async (protocol) => {
    const before = theirs.requests.length;
    const { id } = await create({ protocol, base_url: theirs.baseUrl });
    await tryOut(id);
    expect(theirs.requests.length).toBe(before + 1);
    expect(formatReceivedKeys(theirs)).not.toContain(OWN);
    expect(theirs.requests.at(-1)?.headers).not.toHaveProperty("authorization");
  },
);

test("a protocol's default variable is used for its default address only; others name a variable", async () => {
  for (const [fields, key] of [
    [{}, OWN],
    [{ base_url: "https://api.acme.example/v2" }, OWN],
    [{ base_url: "http://api.acme.example/v1" }, undefined],
    [{ base_url: "https://api.acme.example.evil.example/v1" }, undefined],
    [{ base_url: "https://elsewhere.example/v1", api_key_env: "NAMED_KEY" }, OWN],
  ] as const) {
    const { id } = await create({ protocol: "acme", ...fields });
    await tryOut(id);
    expect([fields, opened.at(-1)]).toEqual([fields, key]);
  }
});
