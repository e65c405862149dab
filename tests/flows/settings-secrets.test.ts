import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Definition {
  readonly key: string;
}
type Document = Readonly<Record<string, unknown>>;

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

const file = () => readFileSync(join(parley.root, "data", "settings.json"), "utf8");
const getValue = (document: Document, key: string) =>
  key.split(".").reduce<unknown>((value, part) => (value as Document | undefined)?.[part], document);
const patch = (key: string, value: unknown): Document =>
  key.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as Document;
const put = (key: string, value: unknown) => api.send("PUT", "/api/settings", { body: patch(key, value) });
const ADDRESS = "https://user:pass-word-1@box.example:8443/a?api_key=key-of-box-1&page=2";
/** The address without credentials, for settings that reject them. */
const PLAIN = ADDRESS.replace("user:pass-word-1@", "");
const SECRETS = /pass-word-1|key-of-box-1/;

/** Returns every setting with an address, and a valid value for each. */
async function addressSettings(): Promise<ReadonlyMap<string, string>> {
  const view = await api.get<Document>("/api/settings");
  const { definitions } = view._meta as { readonly definitions: readonly Definition[] };
  const taken = new Map<string, string>();
  for (const { key } of definitions)
    for (const address of [PLAIN, ADDRESS]) if ((await put(key, address)).status === 200) taken.set(key, address);
  for (const key of taken.keys()) await put(key, null);
  return taken;
}

test("secrets in the address of any setting are masked for readers and encrypted in the file", async () => {
  const taken = await addressSettings();
  expect([...taken.keys()]).toEqual(
    expect.arrayContaining(["features.sticker_api_url", "tools.searxng_url", "updates.registry"]),
  );
  for (const [key, address] of taken) {
    const { json, text } = await put(key, address);
    expect([key, SECRETS.test(text), SECRETS.test(file())]).toEqual([key, false, false]);
    const masked = address.replace("pass-word-1", "****").replace("key-of-box-1", "****ox-1");
    expect(getValue(json?.data as Document, key)).toBe(masked);
    await put(key, null);
  }
});

test("a masked secret that is sent back keeps the stored one, and is sent to no other server", async () => {
  const key = "tools.searxng_url";
  await put(key, ADDRESS);
  const view = await api.get<Document & { readonly revision: number }>("/api/settings");
  const { _meta, ...same } = view;
  const again = await api.send("PUT", "/api/settings", { body: same });
  expect(again.json).toMatchObject({ success: true, data: { revision: view.revision } });
  const masked = String(getValue(view, key));
  expect((await put(key, masked.replace("page=2", "page=3"))).status).toBe(200);
  expect((await put(key, masked.replace("box.example", "evil.example"))).status).toBe(400);
  await put(key, null);
});

test("an unencrypted secret in the file is encrypted at the next start, and works", async () => {
  const path = join(parley.root, "data", "settings.json");
  const before = JSON.parse(file()) as Document;
  writeFileSync(path, JSON.stringify({ ...before, tools: { searxng_url: ADDRESS }, plugins: before.plugins ?? {} }));
  await api.post("/api/system/reload-core", {});
  expect(file()).not.toMatch(SECRETS);
  const view = await api.get<Document>("/api/settings");
  expect(JSON.stringify(view)).not.toMatch(SECRETS);
  expect(String(getValue(view, "tools.searxng_url"))).toContain("box.example");
  expect(JSON.parse(file())).toHaveProperty("sealed_secrets");
  await put("tools.searxng_url", null);
  expect(JSON.parse(file())).not.toHaveProperty("sealed_secrets");
});
