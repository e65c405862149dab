import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, runParley, startProcess } from "../harness/process.ts";

const PASSWORD = "correct horse";
const WRITERS = 4;

let root: string;
let externalStorage: string;
const started: ParleyProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-backed-up-"));
  externalStorage = mkdtempSync(join(tmpdir(), "parley-restored-"));
  for (const folder of [root, externalStorage]) writeFileSync(join(folder, "config.ini"), "[log]\nlevel = warn\n");
});
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill("SIGKILL");
    await ended;
  }
  for (const folder of [root, externalStorage]) rmSync(folder, { recursive: true, force: true });
});

async function start(folder: string): Promise<Client> {
  const running = await startProcess({ root: folder, env: { SVC_ADMIN_PASSWORD: PASSWORD } });
  started.push(running);
  const open = createClient(running.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
}

/** Runs a command; returns its output and exit code. */
async function runCommand(folder: string, ...args: string[]) {
  const child = runParley({ root: folder, args });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text));
  const [code, signal] = await once(child, "exit");
  return { code: code ?? signal, output };
}
const listBackups = () => join(root, "data", "backups");

test("a backup under load contains all messages acknowledged before it, and can be started elsewhere", async () => {
  const api = await start(root);
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "busy" });
  const acknowledged: string[] = [];
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const { message } = await api.post<{ message: { id: string } }>(`/api/sessions/${id}/messages`, {
        content: `number ${acknowledged.length}`,
      });
      acknowledged.push(message.id);
    }
  };
  const writers = Array.from({ length: WRITERS }, write);
  await eventually(() => expect(acknowledged.length).toBeGreaterThan(200));
  const before = [...acknowledged];
  const { code, output } = await runCommand(root, "backup");
  expect(code, output).toBe(0);
  expect(acknowledged.length).toBeGreaterThan(before.length);
  isOver = true;
  await Promise.all(writers);
  const folder = /^backup (.+)$/m.exec(output)?.[1] ?? "";

  expect(await runCommand(root, "restore", folder)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/is not touched/),
  });
  expect(await runCommand(externalStorage, "restore", folder, "--dry-run")).toMatchObject({ code: 0 });
  expect(existsSync(join(externalStorage, "data"))).toBe(false);
  expect(await runCommand(externalStorage, "restore", folder)).toMatchObject({ code: 0 });
  const there = await start(externalStorage);
  const found = new Set<string>();
  for (let offset = 0; ; offset += 500) {
    const page = await there.get<{ items: { id: string }[] }>(
      `/api/sessions/${id}/messages?limit=500&offset=${offset}&order=asc`,
    );
    for (const message of page.items) found.add(message.id);
    if (page.items.length < 500) break;
  }
  expect(before.filter((one) => !found.has(one))).toEqual([]);
}, 120_000);

test("an interrupted backup is invalid, and removed by the next one", async () => {
  await start(root);
  mkdirSync(join(root, "data", "files"), { recursive: true });
  const [large, piece] = [join(root, "data", "files", "large.bin"), Buffer.alloc(4 * 1024 * 1024, "parley")];
  for (let index = 0; index < 64; index += 1) writeFileSync(large, piece, { flag: "a" });
  const child = runParley({ root, args: ["backup"] });
  const ended = once(child, "exit");
  const isCopying = () =>
    existsSync(listBackups()) &&
    readdirSync(listBackups(), { recursive: true }).some((name) => `${name}`.endsWith("large.bin"));
  await eventually(() => expect(isCopying()).toBe(true));
  child.kill("SIGKILL");
  expect((await ended)[1]).toBe("SIGKILL");
  const [left = ""] = readdirSync(listBackups());
  expect(left).toMatch(/\.unfinished$/);
  expect(await runCommand(externalStorage, "restore", join(listBackups(), left))).toMatchObject({ code: 1 });
  expect(existsSync(join(externalStorage, "data"))).toBe(false);

  const { code, output } = await runCommand(root, "backup");
  expect(code, output).toBe(0);
  expect(readdirSync(listBackups())).toEqual([expect.stringMatching(/^backup-\d{8}T\d{9}Z$/)]);
}, 120_000);

test("a backup that lacks a row is not restored", async () => {
  const api = await start(root);
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "whole" });
  for (const content of ["one", "two", "three"]) await api.post(`/api/sessions/${id}/messages`, { content });
  const { output } = await runCommand(root, "backup");
  const folder = /^backup (.+)$/m.exec(output)?.[1] ?? "";
  const [copy = ""] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(^|\/)parley\.db$/.test(name),
  );
  using database = new DatabaseSync(join(folder, copy));
  expect(database.prepare("delete from messages where content = 'two'").run().changes).toBe(1);
  database.exec("pragma wal_checkpoint(truncate)");
  const rejected = await runCommand(externalStorage, "restore", folder);
  expect(rejected).toMatchObject({ code: 1, output: expect.stringMatching(/parley\.db/) });
  expect(existsSync(join(externalStorage, "data"))).toBe(false);
}, 120_000);
