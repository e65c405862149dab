import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Joi from "@hapi/joi";
import { definePlugin, fillDetail, TransferSections } from "@parley/core";
import { openArchive, writeArchive } from "@parley/core/archive";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PNG } from "../harness/files/sample-files.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const PASSWORD = "between you and me";
const SECRET = "sk-planted-secret-1234567890";
const OTHER = "sk-another-secret-0987654321";

/** A section whose import runs the test's function. */
let whenApplied: () => Promise<void> = async () => {};
const last = definePlugin({
  id: "zz-last",
  register({ contribute }) {
    contribute(TransferSections, () => ({
      id: "zz_last",
      title: { en: "Last", zh: "最后" },
      schema: Joi.any(),
      export: async () => ["one"],
      plan: async () => ({
        items: [{ id: "one", name: "one", action: "create", changed_fields: [] }],
        variables: [],
      }),
      apply: async () => ({
        async run() {
          await whenApplied();
          return [];
        },
        undo: async () => {},
      }),
    }));
  },
});

interface Section {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
  readonly items: readonly { readonly id: string; readonly action: string; readonly changed_fields: string[] }[];
}
interface Result {
  readonly dry_run: boolean;
  readonly applied: boolean;
  readonly sections: Readonly<Record<string, Section>>;
  readonly warnings: readonly string[];
  readonly missing_env: readonly string[];
}

let here: Parley;
let there: Parley;
let api: Client;
let other: Client;
let portrait: string;

beforeAll(async () => {
  [here, there] = await Promise.all([startParley({ plugins: [last] }), startParley({ plugins: [last] })]);
  [api, other] = await Promise.all([here.signIn(), there.signIn()]);
  await api.post("/api/ai-models", { name: "Mine", model: "m-1", base_url: "https://a.example/v1", api_key: SECRET });
  await api.post("/api/ai-models", {
    name: "By name",
    model: "m-1",
    base_url: "https://a.example/v1",
    api_key_env: "MY_MODEL_KEY",
  });
  await api.put("/api/ai-config", { model: "m-2", base_url: "https://b.example/v1", api_key: OTHER });
  await api.post("/api/channels/presets/imB", { name: "Our imB" });
  await api.post("/api/world-books", { name: "Town", entries: [{ keywords: ["inn"], content: "An old inn." }] });
  await api.post("/api/message-filter", { pattern: "apple" });
  await api.put("/api/settings", { timezone: "Asia/Shanghai", web: { title: "Ours" } });
  const sent = new FormData();
  sent.append("file", new Blob([PNG], { type: "image/png" }), "face.png");
  portrait = (await postForm<{ url: string }>(api, "/api/personality/portrait", sent)).url;
  await api.post("/api/characters", { name: "Mira", portrait });
  await api.post("/api/personality/custom-presets", { name: "Kept", system_prompt: "Be kept." });
  await api.post("/api/mcp-servers", {
    id: "weather",
    name: "Weather",
    transport: "streamable-http",
    url: "https://mcp.example/mcp",
  });
  await api.post("/api/skills", { name: "tea", description: "How tea is made.", skill_md: "# Tea" });
}, 60_000);
afterAll(async () => {
  await here[Symbol.asyncDispose]();
  await there[Symbol.asyncDispose]();
});

async function raw(client: Client, path: string, form: FormData) {
  const headers = { authorization: `Bearer ${client.token}` };
  const answer = await fetch(new URL(path, client.address), { method: "POST", headers, body: form });
  const json = (await answer.json()) as { data?: unknown; error?: string; code?: string };
  return { status: answer.status, headers: answer.headers, json };
}
async function postForm<Data>(client: Client, path: string, form: FormData): Promise<Data> {
  const { status, json } = await raw(client, path, form);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
  return json.data as Data;
}
async function exportPackage(client: Client, asked: object = {}) {
  const answer = await fetch(new URL("/api/config-transfer/export", client.address), {
    method: "POST",
    headers: { authorization: `Bearer ${client.token}`, "content-type": "application/json" },
    body: JSON.stringify({ password: PASSWORD, ...asked }),
  });
  expect(answer.status).toBe(200);
  return { headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
}
function form(bytes: Uint8Array, asked: Readonly<Record<string, string>> = {}): FormData {
  const made = new FormData();
  made.append("file", new Blob([new Uint8Array(bytes)]), "package.zip");
  for (const [name, value] of Object.entries({ password: PASSWORD, ...asked })) made.append(name, value);
  return made;
}
const importPackage = (bytes: Uint8Array, asked: Readonly<Record<string, string>> = {}) =>
  postForm<Result>(other, "/api/config-transfer/import", form(bytes, asked));
const importError = async (bytes: Uint8Array, asked: Readonly<Record<string, string>> = {}) => {
  const { status, json, headers } = await raw(other, "/api/config-transfer/import", form(bytes, asked));
  const chinese = fillDetail(JSON.parse(headers.get("x-parley-error") ?? "{}"), "zh");
  return { status, code: json.code, error: json.error, chinese };
};
const OVERWRITE = { mode: "overwrite", confirm: "true" };
const getBytes = async (bytes: Uint8Array, name: string) =>
  Buffer.from(
    (await openArchive(bytes)
      .find((entry) => entry.name === name)
      ?.bytes()) ?? [],
  );
/** Reads the current content of all sections. */
async function readAllSections(parley: Parley) {
  const caller = { kind: "login", credentialId: "t", accountId: "t", username: "t", scopes: [], rateLimitPerMinute: 0 };
  const parts = parley.host
    .all(TransferSections)
    .map(async ({ id, export: part }) => [id, await part(caller as never)]);
  return JSON.parse(JSON.stringify(Object.fromEntries(await Promise.all(parts))));
}
const getBackups = (parley: Parley) => {
  try {
    return readdirSync(join(parley.root, "data", "backups"));
  } catch {
    return [];
  }
};

test("a package contains its declared content and nothing else", async () => {
  const { headers, bytes } = await exportPackage(api);
  expect(headers.get("content-type")).toBe("application/zip");
  expect(headers.get("content-disposition")).toMatch(/attachment; filename="parley-config-\d{4}-\d{2}-\d{2}\.zip"/);
  expect(openArchive(bytes).map(({ name }) => name)).toEqual(["manifest.json", "payload.bin"]);
  const manifest = JSON.parse((await getBytes(bytes, "manifest.json")).toString());
  expect(manifest).toMatchObject({
    format: "parley-config",
    version: 1,
    sections: { ai_models: 2, ai_config: 1, characters: 1, world_books: 1 },
    kdf: { name: "scrypt", n: 32_768, r: 8, p: 1 },
    cipher: "AES-256-GCM",
    includes_secrets: false,
  });
  expect(Buffer.from(bytes).includes("Mira")).toBe(false);
});

test("sections have titles", async () => {
  const { items } = await api.get<{ items: { title: { en: string; zh: string } }[] }>("/api/config-transfer/sections");
  expect(items.length).toBeGreaterThan(10);
  for (const { title } of items) expect(title.en).toMatch(/^\p{Lu}/u);
});

test("an import is previewed, and nothing changes before it is confirmed", async () => {
  const before = await readAllSections(there);
  const { bytes } = await exportPackage(api);
  const result = await importPackage(bytes, { dry_run: "true", mode: "overwrite" });
  expect(result).toMatchObject({ dry_run: true, applied: false, sections: { ai_models: { created: 2, failed: 0 } } });
  expect(result.missing_env).toContain("MY_MODEL_KEY");
  expect(await readAllSections(there)).toEqual(before);
  expect(getBackups(there)).toEqual([]);
});

describe("an interrupted import", () => {
  test("leaves everything unchanged", async () => {
    const before = await readAllSections(there);
    const { bytes } = await exportPackage(api, { include_secrets: true });
    whenApplied = async () => {
      expect(await readAllSections(there)).not.toEqual(before);
      throw new Error("the disk is gone");
    };
    expect(await importError(bytes, OVERWRITE)).toMatchObject({ status: 500 });
    expect(await readAllSections(there)).toEqual(before);
  });

  test("blocks a second one, which is asked to wait", async () => {
    const { bytes } = await exportPackage(api, { sections: ["zz_last"] });
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    whenApplied = () => {
      begin();
      return over;
    };
    const first = importPackage(bytes);
    await begun;
    expect(await importError(bytes)).toMatchObject({ status: 409, code: "conflict" });
    end();
    expect(await first).toMatchObject({ applied: true });
    whenApplied = async () => {};
  });
});

test("an empty installation becomes a copy of the other, with API keys on request only", async () => {
  const plain = await exportPackage(api);
  const first = await importPackage(plain.bytes, OVERWRITE);
  expect(first.sections.ai_models).toMatchObject({ created: 2, failed: 0 });
  expect(first.warnings).toEqual([]);
  const getKey = async () =>
    (
      await other.get<{ items: { name: string; has_api_key: boolean; api_key_masked: string }[] }>("/api/ai-models")
    ).items
      .filter(({ has_api_key }) => has_api_key)
      .map(({ name, api_key_masked }) => [name, api_key_masked]);
  expect(await getKey()).toEqual([]);

  const whole = await exportPackage(api, { include_secrets: true });
  const skipping = await importPackage(whole.bytes);
  expect(skipping.sections.ai_models).toMatchObject({ skipped: 2, updated: 0 });
  expect(await getKey()).toEqual([]);
  const second = await importPackage(whole.bytes, OVERWRITE);
  expect(second.sections.ai_models?.items.find(({ action }) => action === "update")?.changed_fields).toEqual([
    "api_key",
  ]);
  expect(second.sections.ai_config).toMatchObject({ updated: 1 });
  expect(await getKey()).toEqual([["Mine", "****7890"]]);
  expect(await other.get("/api/ai-config")).toMatchObject({ model: "m-2", api_key_masked: "****4321" });

  // Imported records that run by themselves stay off until a person enables them.
  const toSwitchedOff = (parts: object): unknown =>
    JSON.parse(JSON.stringify(parts).replaceAll(/"(enabled|auto_connect)":true/g, '"$1":false'));
  const [mine, theirs] = await Promise.all([readAllSections(here), readAllSections(there)]);
  expect(toSwitchedOff(theirs)).toEqual(toSwitchedOff(mine));
  for (const list of ["characters", "ai-models", "channels", "world-books", "mcp-servers", "skills"]) {
    const names = async (client: Client) =>
      (await client.get<{ items: { name: string }[] }>(`/api/${list}`)).items.map(({ name }) => name);
    expect(await names(other), list).toEqual(await names(api));
  }
  const picture = await fetch(new URL(portrait, other.address), {
    headers: { authorization: `Bearer ${other.token}` },
  });
  expect(picture.status).toBe(200);
  expect(picture.headers.get("content-type")).toBe("image/png");
});

test("data that an import changes are backed up first, under the same password", async () => {
  const names = getBackups(there);
  expect(names.length).toBeGreaterThan(0);
  const [name = ""] = names.toSorted().slice(-1);
  const path = join(there.root, "data", "backups", name);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const before = readFileSync(path);
  expect(before.includes(SECRET)).toBe(false);
  expect(await importPackage(before, { dry_run: "true" })).toMatchObject({ sections: { ai_models: { failed: 0 } } });
  expect((await importError(before, { password: "another password", dry_run: "true" })).status).toBe(400);
});

test("an export during an import waits for its end", async () => {
  const { bytes } = await exportPackage(api, { sections: ["zz_last"] });
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  whenApplied = () => {
    begin();
    return over;
  };
  const order: string[] = [];
  const first = importPackage(bytes).then(() => order.push("in"));
  await begun;
  const second = exportPackage(other, { sections: ["zz_last"] }).then(() => order.push("out"));
  // A response to another request shows that the service has received the first one.
  await other.get("/api/config-transfer/sections");
  end();
  await Promise.all([first, second]);
  expect(order).toEqual(["in", "out"]);
  whenApplied = async () => {};
});

test("sections of a package that were not selected stay out", async () => {
  const { bytes } = await exportPackage(api);
  const result = await importPackage(bytes, { sections: "settings, world_books", dry_run: "true" });
  expect(Object.keys(result.sections).toSorted()).toEqual(["settings", "world_books"]);
  expect(await importPackage(bytes, { sections: '["settings"]', dry_run: "1" })).toMatchObject({
    sections: { settings: {} },
  });
});

test("replacing existing data requires a confirmation", async () => {
  const { bytes } = await exportPackage(api, { sections: ["settings"] });
  expect(await importError(bytes, { mode: "overwrite" })).toMatchObject({ code: "confirmation_required" });
});

describe("an import is rejected in one sentence, and nothing changes, because of", () => {
  const ALTERED = "the password is wrong, or the package was changed after it was made";
  const NONE = "file: is no configuration package";
  let good: Uint8Array;
  const withManifest = async (change: (manifest: Record<string, unknown>) => object) =>
    writeArchive([
      {
        name: "manifest.json",
        bytes: Buffer.from(JSON.stringify(change(JSON.parse((await getBytes(good, "manifest.json")).toString())))),
      },
      { name: "payload.bin", bytes: await getBytes(good, "payload.bin") },
    ]);
  const withKdf = (change: object) => withManifest((one) => ({ ...one, kdf: { ...(one.kdf as object), ...change } }));
  beforeAll(async () => {
    good = (await exportPackage(api, { sections: ["settings", "zz_last"] })).bytes;
  });

  test("a wrong password", async () => {
    expect(await importError(good, { password: "not the password" })).toEqual({
      status: 400,
      code: "bad_request",
      chinese: "密码错误，或配置包在生成后被改动过",
      error: ALTERED,
    });
  });

  test("one flipped bit, wherever it is", async () => {
    const at = Buffer.from(good).indexOf("payload.bin") + 40;
    const turned = Uint8Array.from(good, (byte, index) => (index === at ? byte ^ 1 : byte));
    expect(await importError(turned)).toMatchObject({ status: 400, error: ALTERED });
    const payload = await getBytes(good, "payload.bin");
    payload.writeUInt8(payload.readUInt8(7) ^ 1, 7);
    const repacked = await writeArchive([
      { name: "manifest.json", bytes: await getBytes(good, "manifest.json") },
      { name: "payload.bin", bytes: payload },
    ]);
    expect(await importError(repacked)).toMatchObject({ status: 400, error: ALTERED });
    expect(await importError(await withManifest((one) => ({ ...one, includes_secrets: true })))).toMatchObject({
      error: ALTERED,
    });
  });

  test("a newer version", async () => {
    expect((await importError(await withManifest((one) => ({ ...one, version: 2 })))).error).toMatch(
      /newer version \(2\)/,
    );
  });

  test.each([
    { n: 2 ** 30 },
    { r: 1_000 },
    { p: 500 },
    { n: 2 ** 17, r: 16 },
    { n: 1000 },
    { n: "32768" },
    { salt: "" },
  ])("parameters of the key derivation out of bounds: %j", async (change) => {
    const { status, error } = await importError(await withKdf(change));
    expect(status).toBe(400);
    expect(error).toMatch(/manifest cannot be used/);
  });

  test("an unknown section", async () => {
    const strange = definePlugin({
      id: "zz-strange",
      register: ({ contribute }) =>
        contribute(TransferSections, () => ({
          id: "strange_things",
          title: { en: "Strange", zh: "奇怪" },
          schema: Joi.any(),
          export: async () => [],
          plan: async () => ({ items: [], variables: [] }),
          apply: async () => ({ run: async () => [], undo: async () => {} }),
        })),
    });
    await using far = await startParley({ plugins: [strange] });
    const { bytes } = await exportPackage(await far.signIn(), { sections: ["strange_things"] });
    expect(await importError(bytes)).toMatchObject({
      status: 400,
      error: "sections: no enabled plugin has a section 'strange_things'",
    });
    expect(await importError(good, { sections: "nothing_here" })).toMatchObject({ status: 400 });
    expect(await importError(good, { sections: "ai_models" })).toMatchObject({
      error: "sections: 'ai_models' is not in the package",
      chinese: "配置包中没有“ai_models”",
    });
  });

  test("data that is no package, or a decompression bomb", async () => {
    expect(await importError(Buffer.from("hello"))).toMatchObject({ status: 400, error: NONE });
    expect(await importError(await writeArchive([{ name: "a", bytes: PNG }]))).toMatchObject({
      status: 400,
      error: NONE,
    });
    const manifest = { name: "manifest.json", bytes: Buffer.alloc(70_000, "[") };
    const deep = await writeArchive([manifest, { name: "payload.bin", bytes: PNG }]);
    expect((await importError(deep)).status).toBe(413);
  });

  test("a file above 50 MiB", async () => {
    expect((await importError(new Uint8Array(51 * 1024 * 1024))).status).toBe(413);
  });
});

test("a short password or an unknown section prevents an export", async () => {
  for (const asked of [
    { password: "short" },
    { password: PASSWORD, sections: ["nothing_here"] },
    { sections: ["tools"] },
  ])
    expect((await api.send("POST", "/api/config-transfer/export", { body: asked })).status).toBe(400);
});
