import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createClient } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";
import { startProcess } from "../harness/process.ts";

const FRAME = 24 + 4096;
const PASSWORD = "correct horse";

let root: string;
let session: string;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-damage-"));
  const service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: PASSWORD } });
  const open = createClient(service.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  const api = open.as(token);
  session = (await api.post<{ id: string }>("/api/sessions", {})).id;
  for (let count = 0; count < 20; count += 1) {
    await api.post(`/api/sessions/${session}/messages`, { content: `message ${count}` });
  }
  service.child.kill("SIGKILL");
  await service.ended;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const data = (name: string) => join(root, "data", name);
const messages = async () => {
  await using parley = await startParley({ root });
  const api = await parley.signIn();
  return (await api.get<{ total: number }>(`/api/sessions/${session}/messages`)).total;
};
/** Flips one bit among the last messages; a second call restores it. */
const flip = () => {
  const wal = readFileSync(data("parley.db-wal"));
  const at = 32 + Math.floor((wal.length / FRAME) * 0.9) * FRAME + 1_000;
  wal[at] = (wal[at] ?? 0) ^ 1;
  writeFileSync(data("parley.db-wal"), wal);
  return wal;
};

test("changes of a killed service are read completely; one wrong bit among them stops the start and changes nothing", async () => {
  const wal = flip();
  await expect(messages()).rejects.toThrow(
    /parley\.db has lost committed changes: .*parley\.db-wal is damaged at frame/,
  );
  expect(readFileSync(data("parley.db-wal")).equals(wal)).toBe(true);
  flip();
  expect(await messages()).toBe(20);
});

test("data before the damage are used on request, and the rest is moved aside", async () => {
  const wal = flip();
  writeFileSync(data("parley.db.accept-loss"), "");
  const left = await messages();
  expect(left).toBeLessThan(20);
  const damagedFile = readdirSync(data("")).find((name) => name.startsWith("parley.db-wal.damaged-")) ?? "";
  expect(readFileSync(data(damagedFile)).equals(wal)).toBe(true);
  expect(await messages()).toBe(left);
});
