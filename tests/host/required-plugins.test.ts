import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DefinedPlugin, PluginStatus } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const OFF = {
  web: { enabled: false },
  storage: { enabled: false },
  accounts: { enabled: false },
  imc: { enabled: false },
};
const root = mkdtempSync(join(tmpdir(), "parley-required-"));
let parley: Parley;
let api: Client;
let plugins: readonly PluginStatus[];

beforeAll(async () => {
  mkdirSync(join(root, "data"));
  writeFileSync(join(root, "data", "settings.json"), JSON.stringify({ plugins: OFF }));
  parley = await startParley({ root });
  api = await parley.signIn();
  plugins = (await api.get<{ items: readonly PluginStatus[] }>("/api/plugins")).items;
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

test("required plugins stay enabled despite settings.json; the others are disabled", () => {
  const states = Object.keys(OFF).map((id) => plugins.find((one) => one.id === id)?.state);
  expect(states).toEqual(["running", "running", "running", "disabled"]);
});

test("disabling a required plugin is rejected, with the reason and the way to do it nevertheless", async () => {
  const { status, json } = await api.send("PUT", "/api/plugins/web", { body: { enabled: false } });
  expect([status, json?.code]).toEqual([409, "conflict"]);
  expect(json?.error).toMatch(/the console is its page.*only config\.ini can switch it off, with 'web = off'/);
  expect((await api.send("GET", "/api/plugins")).status).toBe(200);
});

test("the console and its dependencies are required, each with a reason", async () => {
  const needed = new Set(["web"]);
  for (const id of needed) {
    const found = plugins.find((one) => one.id === id);
    const { default: plugin } = await import(join(found?.path ?? "", "src", "index.ts"));
    for (const key of (plugin as DefinedPlugin).requires ?? []) {
      const provider = plugins.find(({ adds }) => adds.includes(key.id));
      if (provider) needed.add(provider.id);
    }
  }
  const required = plugins.filter((one) => one.required);
  expect(required.map(({ id }) => id).toSorted()).toEqual([...needed].toSorted());
  expect(required.every(({ required_reason }) => required_reason)).toBe(true);
  expect(required.filter(({ required_texts }) => !/\p{Script=Han}/u.test(required_texts?.zh ?? ""))).toEqual([]);
  expect(plugins.find(({ id }) => id === "imc")).toMatchObject({ required: false, required_reason: null });
});
