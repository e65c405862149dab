import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { PNG } from "../harness/files/sample-files.ts";
import type { Client } from "../harness/http/client.ts";
import { signIn, startKillable } from "./killable.ts";

const KILLS = 12;
const OF_THE_OPERATOR = "notes of the operator.txt";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "parley-orphans-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = warn\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const folder = () => join(root, "data", "files");
const onDisk = () =>
  (existsSync(folder()) ? readdirSync(folder()) : []).filter((name) => ![OF_THE_OPERATOR, "_meta"].includes(name));
const listStoredFiles = () => {
  using database = new DatabaseSync(join(root, "data", "parley.db"), { readOnly: true });
  return database
    .prepare("select safe_name from files")
    .all()
    .map(({ safe_name }) => String(safe_name));
};

function upload({ address, token }: Client, name: string): Promise<unknown> {
  const form = new FormData();
  form.append("file", new Blob([Uint8Array.from(PNG)], { type: "image/png" }), name);
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`${address}/api/upload`, { method: "POST", body: form, headers }).catch(() => undefined);
}

test("a dozen kills between files and their rows leave as many files as rows, and the operator's files", async () => {
  let orphans = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const running = await startKillable(root);
    const api = await signIn(running);
    expect(onDisk().sort()).toEqual(listStoredFiles().sort());
    await upload(api, `whole ${kill}.png`);
    const before = onDisk().length;
    // Blocks all other writes, so that the next file gets no row.
    using lock = new DatabaseSync(join(root, "data", "parley.db"));
    lock.exec("begin immediate");
    const sent = upload(api, `lost ${kill}.png`);
    await eventually(() => expect(onDisk()).toHaveLength(before + 1));
    running.child.kill("SIGKILL");
    await running.ended;
    lock.exec("rollback");
    await sent;
    orphans += onDisk().length - listStoredFiles().length;
  }
  expect(orphans).toBe(KILLS);
  writeFileSync(join(folder(), OF_THE_OPERATOR), "mine");
  const longAgo = new Date(Date.now() - 86_400_000);
  utimesSync(join(folder(), OF_THE_OPERATOR), longAgo, longAgo);
  const settled = [
    `settings.json.${"a".repeat(12)}.tmp`,
    "heartbeat/HEARTBEAT.md.01234567-0123-0123-0123-0123456789ab",
  ];
  mkdirSync(join(root, "data", "heartbeat"), { recursive: true });
  for (const name of settled) {
    writeFileSync(join(root, "data", name), "half");
    utimesSync(join(root, "data", name), longAgo, longAgo);
  }
  writeFileSync(join(root, "data", "settings.json.of-the-operator.tmp"), "mine");
  const last = await startKillable(root);
  expect(onDisk().sort()).toEqual(listStoredFiles().sort());
  expect(listStoredFiles().length).toBeGreaterThanOrEqual(KILLS);
  for (const name of settled) expect(existsSync(join(root, "data", name)), name).toBe(false);
  expect(readdirSync(folder())).toContain(OF_THE_OPERATOR);
  expect(readdirSync(join(root, "data"))).toContain("settings.json.of-the-operator.tmp");
  await last.stop();
}, 900_000);
