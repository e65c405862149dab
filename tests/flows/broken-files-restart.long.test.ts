import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "@parley/core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

// Two starts of a whole service.
vi.setConfig({ hookTimeout: 120_000, testTimeout: 60_000 });

const RULES = "rules/words.json";
const BROKEN = "{ this was edited in a hurry";

let root: string;
let service: ParleyProcess;
let api: Client;

const files = () => ({
  "channels.json": join(root, "data", "channels.json"),
  "channel_secrets.json": join(root, "data", "channel_secrets.json"),
  "settings.json": join(root, "data", "settings.json"),
  "words.json": join(root, RULES),
});
const start = async () => {
  const password = "correct horse";
  service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: password } });
  const open = createClient(service.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password });
  api = open.as(token);
};
const readEffective = async () => ({
  channels: (await api.get<{ items: readonly { id: string; name: string }[] }>("/api/channels")).items.map(
    ({ id, name }) => `${id} ${name}`,
  ),
  timezone: (await api.get<{ timezone: string }>("/api/settings")).timezone,
  filter: (await api.get<{ items: readonly { id: string; config?: object }[] }>("/api/plugins")).items.find(
    ({ id }) => id === "filter",
  )?.config,
  hasRule: JSON.stringify(await api.get<object>("/api/message-filter")).includes("tulip"),
});
let before: Awaited<ReturnType<typeof readEffective>>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-restart-"));
  writeFileSync(join(root, "config.ini"), `[plugin.filter]\nfile = ${RULES}\n`);
  await start();
  await api.post("/api/channels", { id: "shop", name: "Shop", type: "generic" });
  await api.put("/api/settings", { timezone: "Asia/Tokyo" });
  await api.put("/api/plugins/filter", { config: { regex_limit_ms: 77 } });
  await api.post("/api/message-filter/import", { keywords: ["tulip"] });
  writeFileSync(files()["channel_secrets.json"], '{ "secrets": [] }');
  // Listing the findings makes the service check every file.
  await api.get("/api/system/findings");
  before = await readEffective();
  await service.stop();
  for (const path of Object.values(files())) writeFileSync(path, BROKEN);
  await start();
});
afterAll(async () => {
  await service?.stop();
  rmSync(root, { recursive: true, force: true });
});

test("a start with broken files uses their last valid content", async () => {
  expect(before).toMatchObject({
    channels: expect.arrayContaining(["shop Shop"]),
    timezone: "Asia/Tokyo",
    hasRule: true,
  });
  expect(await readEffective()).toEqual(before);
});

test("broken files are reported in the log, among the findings and in the health", async () => {
  const { items } = await api.get<{ items: readonly Finding[] }>("/api/system/findings");
  const broken = items.filter(({ key }) => key === "files.broken").map(({ parameters }) => parameters?.file);
  expect(broken.toSorted()).toEqual(Object.values(files()).toSorted());
  for (const path of Object.values(files())) {
    const [line] = service.output().split(path);
    expect(line?.slice(-200)).toContain("its last valid content still applies");
  }
  const { components } = await api.get<{ components: readonly { name: string; state: string }[] }>(
    "/api/startup-status",
  );
  expect(components.find(({ name }) => name === "edited-files")?.state).toBe("degraded");
});

test("broken files are not overwritten until they are repaired", async () => {
  const writes = [
    await api.send("PUT", "/api/channels/shop", { body: { name: "Other" } }),
    await api.send("PUT", "/api/settings", { body: { timezone: "Europe/Paris" } }),
    await api.send("POST", "/api/message-filter/import", { body: { keywords: ["rose"] } }),
    await api.send("PUT", "/api/plugins/filter", { body: { config: { regex_limit_ms: 78 } } }),
  ];
  expect(writes.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
  for (const path of Object.values(files())) expect(readFileSync(path, "utf8")).toBe(BROKEN);
  expect(await readEffective()).toEqual(before);
});

test("the last valid content is readable by its owner only", () => {
  const folder = join(root, "data", "last-good");
  const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, ...Object.values(files()).map(() => 0o600)]);
});

test("a start without readable last content uses defaults, and reports that once", async () => {
  await service.stop();
  const copies = join(root, "data", "last-good");
  for (const name of readdirSync(copies)) {
    const path = join(copies, name);
    rmSync(path);
    if (name.startsWith("settings")) writeFileSync(path, BROKEN);
    else if (name.startsWith("channels")) mkdirSync(path);
    else symlinkSync(name, path);
  }
  await start();
  const paths = Object.values(files()).toSorted();
  const { items } = await api.get<{ items: readonly Finding[] }>("/api/system/findings");
  const broken = items.filter(
    ({ key, said }) => key === "files.broken" && said.en.includes("the copy of its last good content cannot be used"),
  );
  expect(broken.map(({ parameters }) => parameters?.file).toSorted()).toEqual(paths);
  const lines = service.output().split("\n");
  expect(lines.filter((line) => /problem: .*the copy of its last good content/.test(line))).toHaveLength(paths.length);
  expect(lines.filter((line) => line.includes("plugin changes of the console do not apply"))).toHaveLength(1);
});

test("a repaired file is used, and stored again as the last valid content", async () => {
  writeFileSync(files()["channels.json"], '{ "channels": [] }');
  writeFileSync(files()["settings.json"], '{ "timezone": "Asia/Tokyo" }');
  await vi.waitFor(async () => expect((await readEffective()).timezone).toBe("Asia/Tokyo"), 5_000);
  const copies = join(root, "data", "last-good");
  const copy = readdirSync(copies).find((name) => name.startsWith("settings")) ?? "";
  expect(readFileSync(join(copies, copy), "utf8")).toContain("Asia/Tokyo");
});
