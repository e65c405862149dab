import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { HostControl, Schedules } from "@parley/core";
import { expect, test, vi } from "vitest";
import { runRestore } from "../../host/cli/src/backup/backup-command.ts";
import { prepareStorage } from "../harness/chosen-storage.ts";
import { eventually } from "../harness/eventually.ts";
import { createClient } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const ID = "operations.backup";
const toBackupFolder = (parley: Parley) => join(parley.root, "data", "backups");

test("backups are scheduled by the settings, can be started by hand, and restore a complete service", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const schedule = async () =>
    (await api.get<{ items: { id: string; enabled: boolean }[] }>("/api/schedules?limit=500")).items.find(
      ({ id }) => id === ID,
    );
  expect(await schedule()).toMatchObject({ enabled: false });
  await api.put("/api/settings", { backups: { daily: true, keep: 1 } });
  await eventually(async () => expect(await schedule()).toMatchObject({ enabled: true }));
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "kept" });
  await api.post(`/api/sessions/${id}/messages`, { content: "remember me" });
  // Stored beside the data folder.
  await api.post("/api/message-filter", { pattern: "spam" });

  await api.post(`/api/schedules/${ID}/run`, {});
  // With rows on a server, the check starts all plugins again.
  await vi.waitFor(
    async () => expect((await parley.host.get(Schedules).get(ID)).last_job).toMatchObject({ status: "done" }),
    { timeout: 50_000, interval: 100 },
  );
  expect(readdirSync(toBackupFolder(parley))).toEqual([expect.stringMatching(/^backup-\d{8}T\d{9}Z$/)]);
  const [first = ""] = readdirSync(toBackupFolder(parley));
  const second = await parley.host.get(HostControl).backUp(toBackupFolder(parley), 1);
  expect(second.shared).toBeGreaterThan(0);
  expect(readdirSync(toBackupFolder(parley))).not.toContain(first);

  const root = mkdtempSync(join(tmpdir(), "parley-restored-"));
  try {
    await restore(root, second.folder);
    await using again = await startParley({ root });
    const there = await again.signIn();
    expect(await there.get(`/api/sessions/${id}/messages`)).toMatchObject({ items: [{ content: "remember me" }] });
    expect(await there.get("/api/message-filter")).toMatchObject({ rules: { global: [{ pattern: "spam" }] } });
    // Sessions stay signed in.
    expect(await createClient(again.address, api.token).get("/api/settings")).toMatchObject({ backups: { keep: 1 } });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("a downloaded backup can be restored in another folder, and an API key cannot download one", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "kept" });
  await api.post(`/api/sessions/${id}/messages`, { content: "remember me" });
  const { folder } = await parley.host.get(HostControl).backUp(toBackupFolder(parley), 1);
  const path = `/api/backups/${basename(folder)}/download`;

  const download = (token: string) =>
    fetch(`${parley.address}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const response = await download(api.token);
  expect(response.headers.get("content-disposition")).toContain(`filename="${basename(folder)}.tar.gz"`);
  const archive = Buffer.from(await response.arrayBuffer());
  const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "backups", scopes: ["admin"] });
  const denied = await download(secret);
  expect(denied.status).toBe(403);
  expect(await denied.json()).toMatchObject({ error: expect.stringContaining("only when signed in") });
  await expect(api.get("/api/backups/backup-20200101T000000000Z/download")).rejects.toThrow("404");

  const unpacked = mkdtempSync(join(tmpdir(), "parley-downloaded-"));
  try {
    execFileSync("tar", ["-xzf", "-", "-C", unpacked], { input: archive });
    const root = join(unpacked, "folder");
    mkdirSync(root);
    await restore(root, join(unpacked, basename(folder)));
    await using again = await startParley({ root });
    const there = await again.signIn();
    expect(await there.get(`/api/sessions/${id}/messages`)).toMatchObject({ items: [{ content: "remember me" }] });
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
});

/** Restores into an empty folder, and an empty database if rows are on a server. */
async function restore(root: string, from: string): Promise<void> {
  const { config, env } = await prepareStorage(root);
  const file = join(root, "config.ini");
  writeFileSync(file, config);
  writeFileSync(
    join(root, ".env"),
    Object.entries(env)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(""),
  );
  await runRestore({ flags: { config: file }, from, isTrial: true, print() {} });
  await runRestore({ flags: { config: file }, from, isTrial: false, print() {} });
  await expect(runRestore({ flags: { config: file }, from, isTrial: false, print() {} })).rejects.toMatchObject({
    code: "conflict",
  });
}

test("backups run one at a time", async () => {
  await using parley = await startParley();
  const host = parley.host.get(HostControl);
  const first = host.backUp(toBackupFolder(parley), 2);
  await expect(host.backUp(toBackupFolder(parley), 2)).rejects.toMatchObject({ code: "conflict" });
  await first;
});
