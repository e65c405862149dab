import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const root = mkdtempSync(join(tmpdir(), "parley-changed-"));
const folder = join(root, "node_modules", "acme-plugin");
let service: ParleyProcess;
let api: Client;

const INDEX = `
import { word } from "./lib/word.js";
export default {
  id: "acme", contract: 1,
  register({ contribute }) {
    contribute({ kind: "extension-point", id: "chat-commands" }, () => ({
      name: "/acme", usage: "/acme", help: word, category: "play", adminOnly: false, run: async () => word,
    }));
  },
};`;
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const reload = () =>
  api.post<{ reloaded: readonly string[]; failed: readonly object[] }>("/api/system/reload-core", {});
const help = async () => {
  const { items } = await api.get<{ items: readonly { name: string; help_text: string }[] }>("/api/commands");
  return items.find(({ name }) => name === "/acme")?.help_text;
};

beforeAll(async () => {
  mkdirSync(join(folder, "lib"), { recursive: true });
  write("package.json", '{ "name": "acme-plugin", "version": "1.0.0", "type": "module", "exports": "./index.js" }');
  write("index.js", INDEX);
  write("lib/word.js", 'export const word = "first";');
  writeFileSync(join(root, "config.ini"), "[plugins]\nacme = acme-plugin\n[log]\nlevel = error\nfile = off\n");
  service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: "correct horse" } });
  const open = createClient(service.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: "correct horse" });
  api = open.as(token);
});
afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

test("a reload uses the current code of third-party plugins, at any depth, also after an error was fixed", async () => {
  expect(await help()).toBe("first");
  write("lib/word.js", 'export const word = "a second one";');
  expect((await reload()).failed).toEqual([]);
  expect(await help()).toBe("a second one");
  write("lib/word.js", "export const word = ;");
  expect((await reload()).failed).toMatchObject([
    { name: "acme", error: expect.stringContaining("Unexpected token ';' (lib/word.js:1)") },
  ]);
  write("lib/word.js", 'export const word = "mended";');
  expect((await reload()).failed).toEqual([]);
  expect(await help()).toBe("mended");
});
