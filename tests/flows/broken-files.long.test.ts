import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type EditedFile, EditedFiles, type Finding } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examineFiles } from "../../host/cli/src/doctor/examine-files.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
  await api.post("/api/channels", { id: "shop", name: "Shop", type: "generic" });
  await api.put("/api/settings", { timezone: "Asia/Tokyo" });
  await api.post("/api/message-filter/import", { keywords: ["tulip"] });
});
afterAll(() => parley?.[Symbol.asyncDispose]());

const NAMES = ["channel_secrets.json", "channels.json", "message_filter.json", "settings.json"];
const GOOD: Readonly<Record<string, string>> = { "channel_secrets.json": '{\n  "secrets": []\n}\n' };

interface Form {
  readonly what: string;
  /** Expected message, besides the file name. */
  readonly says: RegExp;
  breakIt(path: string, good: string): void;
}
const forms: readonly Form[] = [
  {
    what: "cut off",
    says: /line \d+, column \d+/,
    breakIt: (path, good) => writeFileSync(path, good.slice(0, good.trimEnd().length - 1)),
  },
  { what: "no JSON", says: /line 2, column \d+/, breakIt: (path) => writeFileSync(path, '{\n  "a": nonsense\n}\n') },
  { what: "of a wrong type", says: /must/, breakIt: (path) => writeFileSync(path, "7\n") },
  {
    what: "not in UTF-8",
    says: /is not UTF-8: save it as UTF-8/,
    breakIt: (path, good) => writeFileSync(path, Buffer.from(good.replace("{", '{ "café": 1,'), "latin1")),
  },
  {
    what: "with a comment",
    says: /line 1, column 1/,
    breakIt: (path, good) => writeFileSync(path, `// mine\n${good}`),
  },
  { what: "empty", says: /is empty/, breakIt: (path) => writeFileSync(path, "") },
  {
    what: "a folder",
    says: /is a folder/,
    breakIt(path) {
      rmSync(path);
      mkdirSync(path);
    },
  },
  {
    what: "not to be read",
    says: /cannot be read/,
    breakIt(path) {
      rmSync(path);
      symlinkSync(path, path);
    },
  },
];
const files = () => new Map(parley.host.all(EditedFiles).map((file) => [basename(file.path), file]));
const getFile = (name: string): EditedFile => {
  const file = files().get(name);
  if (!file) throw new Error(`${name} is not among the files that people edit`);
  return file;
};
const findings = async () => (await api.get<{ items: readonly Finding[] }>("/api/system/findings")).items;
const health = async () => {
  const { components } = await api.get<{ components: readonly { name: string; state: string }[] }>(
    "/api/startup-status",
  );
  return components.find(({ name }) => name === "edited-files")?.state;
};
const readEffective = async () => ({
  channels: (await api.get<{ items: readonly { id: string }[] }>("/api/channels")).items.map(({ id }) => id),
  timezone: (await api.get<{ timezone: string }>("/api/settings")).timezone,
  rules: (await api.get<{ global: readonly object[] }>("/api/message-filter")).global?.length,
});

test("every hand-edited file is tested", () => {
  expect([...files().keys()].sort()).toEqual(NAMES);
});

describe.each(NAMES)("%s", (name) => {
  test.each(forms)(
    "that is $what leaves its last valid content active, and is reported everywhere",
    async ({ says, breakIt }) => {
      const { path } = getFile(name);
      mkdirSync(dirname(path), { recursive: true });
      if (GOOD[name] !== undefined) writeFileSync(path, GOOD[name]);
      const before = await readEffective();
      const good = readFileSync(path, "utf8");
      try {
        breakIt(path, good);
        await eventually(async () =>
          expect(await findings()).toContainEqual(
            expect.objectContaining({
              key: "files.broken",
              said: { en: expect.stringMatching(says), zh: expect.stringContaining(name) },
              parameters: { file: path, reason: expect.stringMatching(says) },
            }),
          ),
        );
        expect(await health()).toBe("degraded");
        for (const row of ["reload-config", "reload-core"]) {
          const rejected = await api.send("POST", `/api/system/${row}`, { body: {} });
          expect(rejected).toMatchObject({ status: 400, json: { error: expect.stringMatching(says) } });
          expect((rejected.json as { error: string }).error).toContain(name);
        }
        // Another way to reload plugins; settings cannot be written into a broken file.
        if (name !== "settings.json") await api.put("/api/plugins/dice", { config: { max_dice: 7 } });
        expect(await readEffective()).toEqual(before);
        const [finding] = examineFiles([getFile(name)]);
        expect(finding).toMatchObject({ about: "files", level: "warning", said: { en: expect.stringMatching(says) } });
      } finally {
        rmSync(path, { recursive: true, force: true });
        writeFileSync(path, good);
      }
      await eventually(async () => expect((await findings()).filter(({ key }) => key === "files.broken")).toEqual([]));
      expect(await readEffective()).toEqual(before);
    },
  );

  test.each(["utf8", "utf16le"] as const)("with a byte order mark is read normally, in %s", async (encoding) => {
    const { path } = getFile(name);
    const good = readFileSync(path, "utf8");
    const before = await readEffective();
    writeFileSync(path, Buffer.from(`\uFEFF${good}`, encoding));
    expect(await api.send("POST", "/api/system/reload-config", { body: {} })).toMatchObject({ status: 200 });
    expect(await readEffective()).toEqual(before);
    await eventually(async () => expect((await findings()).filter(({ key }) => key === "files.broken")).toEqual([]));
    expect(examineFiles([getFile(name)])).toMatchObject([{ level: "ok" }]);
    writeFileSync(path, good);
  });
});

test.each([
  ['{"channels": [{"id": "ok", "config": "none"}]}', /channels\.0\.config: must be/],
  ['{"channels": [{"id": "ok"}, {"name": "no id"}]}', /channels\.1\.id: /],
  ['{"channels": [{"id": "ok", "enabled": "maybe"}]}', /channels\.0\.enabled: must be/],
  ['{"channels": [7]}', /channels\.0: must be/],
  ['{"channels": 7}', /'channels'/],
  ['{"shop": 7}', /channels\.0: must be/],
  ['{"channels": [{"id": "shop"}, {"id": "shop"}]}', /channels\.1: /],
  ['[{"id": "shop"}, {"id": "SHOP"}]', /channels\.1: /],
  ['{"global": {"name": "Everything"}}', /channels\.0\.id: /],
  [`[{"id": "shop", "name": "${"x".repeat(101)}"}]`, /channels\.0\.name: /],
  [
    '{"channels": [\n{"id": "ok"},\n{"id": "up",\n"transport": "pigeon"}]}',
    /line 4: channels\.1\.transport: .* use webhook/,
  ],
  [
    '[\n{"id": "up", "type": "imC",\n\n"transport": "bridge"}]',
    /line 4: channels\.0\.transport: .* webhook or websocket/,
  ],
  ['{"ok": {},\n"imAbot":\n{"transport": "pigeon"}}', /line 3: channels\.1\.transport: .* websocket or webhook/],
])("a channel file with a value of a wrong type is broken: %s", async (text, says) => {
  const file = join(parley.host.data, "channels.json");
  const good = readFileSync(file, "utf8");
  const before = await readEffective();
  writeFileSync(file, text);
  const rejected = await api.send("POST", "/api/system/reload-config", { body: {} });
  expect(rejected).toMatchObject({ status: 400, json: { error: expect.stringMatching(says) } });
  expect(await readEffective()).toEqual(before);
  writeFileSync(file, good);
});

const link = (path: string) => symlinkSync(path, path);
const write = (content: string | Buffer) => (path: string) => writeFileSync(path, content);

test.each<readonly [name: string, what: string, breakIt: (path: string) => void, says: RegExp]>([
  [".env", "in UTF-16", write(Buffer.from("\uFEFFA=1\n", "utf16le")), /is UTF-16: save it as UTF-8/],
  [".env", "in Latin-1", write(Buffer.from("A=caf\xe9\n", "latin1")), /is not UTF-8/],
  [".env", "of other bytes", write("A=\0\n"), /not a text file/],
  [".env", "a folder", (path) => void mkdirSync(path), /is a folder/],
  [".env", "a link to nothing", link, /cannot be read: E/],
  ["config.ini", "in UTF-16", write(Buffer.from("\uFEFF[web]\n", "utf16le")), /is UTF-16: save it as UTF-8/],
  ["config.ini", "a folder", (path) => void mkdirSync(path), /is a folder/],
  ["config.ini", "a link to nothing", link, /cannot be read: E/],
])("%s that is %s changes nothing, and is reported", async (name, _what, breakIt, says) => {
  const path = join(parley.root, name);
  const good = name === ".env" ? "" : readFileSync(path, "utf8");
  rmSync(path, { force: true });
  breakIt(path);
  try {
    const rejected = await api.send("POST", "/api/system/reload-config", { body: {} });
    expect(rejected).toMatchObject({ status: 400, json: { error: expect.stringMatching(says) } });
    expect((rejected.json as { error: string }).error).toContain(name);
    expect((await findings()).map(({ key }) => key)).toContain("host.configuration");
  } finally {
    rmSync(path, { recursive: true, force: true });
    if (good !== "") writeFileSync(path, good);
  }
  const again = await api.send("POST", "/api/system/reload-config", { body: {} });
  expect(again).toMatchObject({ status: 200, json: { data: { changed: [] } } });
});

test.each([
  ['{"timezone": 5}', /timezone: must be/],
  ['{"timezone": "Mars/Base"}', /timezone: /],
  ['{"features": {"ai": "yes"}}', /features\.ai: must be/],
  ['{"features": "all"}', /features/],
  ['{"admin_ids": "a,b"}', /admin_ids: must be/],
  ['{"chat": {"turn_timeout_s": 1}}', /chat\.turn_timeout_s: must be/],
])("an unused setting in the file is reported, and the next reload names it: %s", async (text, says) => {
  const { path } = getFile("settings.json");
  const good = readFileSync(path, "utf8");
  writeFileSync(path, text);
  const rejected = await api.send("POST", "/api/system/reload-config", { body: {} });
  expect(rejected).toMatchObject({ status: 400, json: { error: expect.stringMatching(says) } });
  expect((rejected.json as { error: string }).error).toContain("settings.json");
  const finding = (await findings()).find(({ key }) => key === "settings.invalid");
  expect(finding?.parameters?.reason).toMatch(says);
  writeFileSync(path, good);
  expect(await api.send("POST", "/api/system/reload-config", { body: {} })).toMatchObject({ status: 200 });
  expect((await findings()).filter(({ key }) => key === "settings.invalid")).toEqual([]);
});
