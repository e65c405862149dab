import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  AppError,
  Databases,
  definePlugin,
  type JobDetail,
  type Message,
  RecordLifecycle,
  type RecordPart,
  type Session,
} from "@parley/core";
import type { List } from "@parley/core/http";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const SECRET = "the-harp-under-the-stairs";
const MESSAGE_TEXT = `My name is Ann, I live in Lisbon and I hide ${SECRET}.`;

/** Conversations whose data in this plugin cannot be removed. */
const stuck = new Set<string>();
const stubborn = definePlugin({
  id: "stubborn",
  register({ contribute }) {
    contribute(
      RecordLifecycle,
      (): RecordPart => ({
        id: "stubborn.part",
        of: "session",
        async removed(id) {
          if (stuck.has(id)) throw new AppError("unavailable", "the shelf is locked");
          return [];
        },
      }),
    );
  },
});

let parley: Parley;
let api: Client;
let models: ModelServer;
let character_id: string;

beforeAll(async () => {
  models = await startModelServer({ answer: () => ({ kind: "text", text: `I tell nobody of ${SECRET}.` }) });
  parley = await startParley({ plugins: [stubborn] });
  api = await parley.signIn();
  const model = { name: "m", model: "m", base_url: models.baseUrl };
  const { id } = await api.post<{ id: string }>("/api/ai-models", model);
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.put("/api/settings", { memory: { finding: "local" } });
  character_id = (await api.post<{ id: string }>("/api/characters", { name: "Mira" })).id;
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const createTemporary = (more: object = {}) =>
  api.post<Session>("/api/sessions", { character_id, is_temporary: true, ...more });
const say = (id: string, content = MESSAGE_TEXT) =>
  api.post<{ trace_id: string; replies: readonly Message[] }>(`/api/sessions/${id}/chat`, { content });
const getStatus = async (method: string, path: string, body?: object) =>
  (await api.send(method, path, body ? { body } : {})).status;
const total = async (path: string) => (await api.get<List<unknown>>(path)).total;

/** Returns all tables as text, including the history, as a thief of the disk could read them. */
async function dumpTables(): Promise<readonly (readonly [name: string, rows: string])[]> {
  const main = parley.host.get(Databases).main;
  const tables = await main.tables<Record<string, object>>().introspection.getTables();
  const found: [string, unknown][] = [];
  for (const { name } of tables.filter(({ isView }) => !isView)) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(main.tables());
    found.push([name, rows]);
  }
  const file = join(parley.root, "data", "gateway.db");
  if (existsSync(file)) {
    using history = new DatabaseSync(file, { readOnly: true });
    for (const name of ["gateway_logs", "turn_record"])
      found.push([name, history.prepare(`select * from ${name}`).all()]);
  }
  const bytes = (_: string, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value);
  return found.map(([name, rows]) => [name, JSON.stringify(rows, bytes)] as const);
}
const dumpAll = async () => (await dumpTables()).map(([, rows]) => rows).join("\n");
const findTablesWith = async (...words: readonly string[]) =>
  (await dumpTables()).filter(([, rows]) => words.some((word) => rows.includes(word))).map(([name]) => name);

test("a temporary conversation is listed nowhere, and leaves no row when it ends", {
  timeout: 60_000,
}, async () => {
  const { id, is_temporary } = await createTemporary();
  expect(is_temporary).toBe(true);
  const { trace_id, replies } = await say(id);
  expect(replies[0]?.content).toContain(SECRET);
  await api.post(`/api/sessions/${id}/regenerate`, {});
  expect(await dumpAll()).toContain(SECRET);

  expect(await total("/api/sessions?archived=all")).toBe(0);
  expect(await total("/api/sessions?q=harp")).toBe(0);
  expect(await total("/api/messages?q=harp")).toBe(0);
  expect(await total(`/api/messages?q=harp&session_id=${id}`)).toBe(2);
  expect((await api.send("GET", "/api/sessions/export?download=true")).text).not.toContain(SECRET);
  expect((await api.send("GET", `/api/sessions/export?ids=${id}&download=true`)).text).not.toContain(SECRET);
  for (const format of ["json", "markdown"]) {
    expect(await getStatus("GET", `/api/sessions/${id}/export?format=${format}`)).toBe(409);
  }
  expect(await getStatus("POST", `/api/sessions/${id}/public`, {})).toBe(409);

  expect(await getStatus("DELETE", `/api/sessions/${id}`)).toBe(200);
  expect(await getStatus("GET", `/api/sessions/${id}`)).toBe(404);
  const { summary } = await api.get<{ summary: object }>(`/api/gateway/logs/trace/${trace_id}`);
  expect(summary).toMatchObject({ has_content: false, queue_items_count: 0 });
  expect(await dumpAll()).not.toContain(SECRET);
  // Only the token usage is counted, like that of any answer.
  expect(await findTablesWith(id, trace_id)).toEqual(["token_usage"]);
});

test("a temporary conversation leaves no memory and no change of its character", async () => {
  const { id } = await createTemporary();
  await say(id);
  const state = await api.get<{ persisted: boolean }>(`/api/characters/${character_id}/state?session_id=${id}`);
  const bond = await api.get<{ persisted: boolean }>(`/api/characters/${character_id}/relationships`);
  expect([state.persisted, bond.persisted]).toEqual([false, false]);
  expect(await total("/api/jobs?kind=memory.find")).toBe(0);
  expect(await total("/api/memory")).toBe(0);
  // A permanent conversation remembers the same words, so the check above is meaningful.
  const { id: other } = await createTemporary({ is_temporary: false });
  await say(other);
  await eventually(async () => expect(await total("/api/memory")).toBeGreaterThan(0));
  expect((await api.get<{ persisted: boolean }>(`/api/characters/${character_id}/relationships`)).persisted).toBe(true);
});

test("a temporary conversation can be made permanent; a permanent one does not become temporary", async () => {
  const { id } = await createTemporary();
  await say(id, "hello");
  const session = await api.put<Session>(`/api/sessions/${id}`, { is_temporary: false });
  expect(session.is_temporary).toBe(false);
  const { items } = await api.get<List<Session>>("/api/sessions");
  expect(items.map((one) => one.id)).toContain(id);
  expect(await getStatus("GET", `/api/sessions/${id}/export`)).toBe(200);
  expect(await getStatus("PUT", `/api/sessions/${id}`, { is_temporary: true })).toBe(400);
});

/** Backdates conversations to two hours without a message. */
async function isOld(...ids: readonly string[]): Promise<void> {
  const long = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const main = parley.host.get(Databases).main;
  const query = main
    .tables<{ sessions: { id: string; created_at: string; last_message_at: string } }>()
    .updateTable("sessions")
    .set({ created_at: long, last_message_at: long })
    .where("id", "in", ids);
  await main.write([{ query }]);
}

test("a temporary conversation that cannot be deleted remains, is reported, and does not prevent the deletion of others", async () => {
  const [{ id: locked }, { id: other }] = [await createTemporary(), await createTemporary()];
  await isOld(locked, other);
  stuck.add(locked);
  const { job_id } = await api.post<{ job_id: string }>("/api/schedules/sessions.temporary/run", {});
  await eventually(async () => expect(await getStatus("GET", `/api/sessions/${other}`)).toBe(404));
  const job = () => api.get<JobDetail>(`/api/jobs/${job_id}`);
  await eventually(async () =>
    expect(await job()).toMatchObject({
      error: { error: expect.stringContaining("1 temporary conversations could not be removed") },
      logs: expect.arrayContaining([
        expect.objectContaining({ text: `${locked} stayed: stubborn.part: the shelf is locked` }),
      ]),
    }),
  );
  expect(await getStatus("GET", `/api/sessions/${locked}`)).toBe(200);
  stuck.clear();
  expect(await getStatus("DELETE", `/api/sessions/${locked}`)).toBe(200);
  await eventually(async () => expect(await job()).toMatchObject({ status: "done" }));
});

test("a copy of a temporary conversation is temporary too, and an abandoned one is deleted after an hour", async () => {
  const [{ id: old }, { id: fresh }] = [await createTemporary(), await createTemporary()];
  for (const id of [old, fresh]) await say(id, "hello");
  const copy = await api.post<Session>(`/api/sessions/${old}/fork`, {});
  expect(copy.is_temporary).toBe(true);
  await isOld(old, copy.id);
  await api.post("/api/schedules/sessions.temporary/run", {});
  await eventually(async () => expect(await getStatus("GET", `/api/sessions/${old}`)).toBe(404));
  await eventually(async () => expect(await getStatus("GET", `/api/sessions/${copy.id}`)).toBe(404));
  expect(await getStatus("GET", `/api/sessions/${fresh}`)).toBe(200);
});
