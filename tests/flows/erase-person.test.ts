import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  Caches,
  Databases,
  type DefinedPlugin,
  definePlugin,
  Files,
  Gateway,
  type InboundMessage,
  type Message,
  RecordLifecycle,
} from "@parley/core";
import { openArchive } from "@parley/core/archive";
import type { List } from "@parley/core/http";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isInFiles } from "../harness/chosen-storage.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

/** A word that no index stems or splits. */
const WORD = "xylbrontek";
const OTHER = "quarvolite";
const ANN = "fake:user:4242";
const BEN = "fake:user:4243";
const PRIVATE = "fake:private:4242";

/** A table of another plugin without any support for erasure. */
const stranger = definePlugin({
  id: "stranger",
  register() {},
  async start({ get }) {
    await get(Databases).main.migrate("stranger", [
      {
        id: "001-scores",
        up: async (db) => {
          await db.schema
            .createTable("stranger_scores")
            .addColumn("id", "text", (column) => column.primaryKey())
            .addColumn("note", "text")
            .execute();
        },
      },
    ]);
  },
});

let root: string;
let models: ModelServer;
let fake: FakeChannel;
let parley: Parley;
let api: Client;

const start = async (more: readonly DefinedPlugin[] = []) => {
  fake = createFakeChannel();
  parley = await startParley({ root, plugins: [fake.plugin, stranger, ...more], config: "" });
  api = await parley.signIn();
};
const say = async (
  conversation: string,
  id: string,
  name: string,
  text: string,
  more: Partial<InboundMessage> = {},
) => {
  const isGroup = conversation.startsWith("team-");
  await fake.say(conversation, text, {
    sessionId: isGroup ? `fake:group:${conversation}` : `fake:private:${conversation}`,
    conversation: { id: conversation, isGroup },
    sender: { id, name, isAdmin: false },
    ...more,
  });
  await parley.host.get(Gateway).idle();
};

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-erase-"));
  models = await startModelServer({ answer: () => ({ kind: "text", text: "Good to know." }) });
  await start();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/channels", { id: "fake", name: "fake", type: "fake", transport: "bridge" });
  await api.put("/api/settings", { memory: { finding: "local" } });
  await api.post("/api/characters", { name: "Mira" });
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

/** Returns the files below the folder that contain the word, without backups. */
function filesWith(word: string): readonly string[] {
  const names = readdirSync(root, { recursive: true }) as string[];
  return names.filter((name) => {
    const path = join(root, name);
    return statSync(path).isFile() && readFileSync(path).includes(word);
  });
}

async function findTablesWith(word: string): Promise<readonly string[]> {
  const { main } = parley.host.get(Databases);
  const found: string[] = [];
  for (const { name } of await main.tables<Record<string, object>>().introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(main.tables());
    if (JSON.stringify(rows).includes(word)) found.push(name);
  }
  return found;
}

async function createTraces(): Promise<void> {
  const files = parley.host.get(Files);
  const { url } = await files.put(new TextEncoder().encode(`my file: ${WORD}`), { name: `${WORD}.txt` });
  const attachments = [{ type: "file" as const, url, name: `${WORD}.txt` }];
  await say("4242", "4242", "Ann", `My name is Ann and I live in ${WORD}.`);
  await say("4242", "4242", "Ann", `here is a file from ${WORD}`, { attachments });
  await say("team-1", "4242", "Ann", `I said ${WORD} in the group`);
  await say("team-1", "4243", "Ben", `I said ${OTHER} in the group`);
  await say("4243", "4243", "Ben", `My name is Ben and I live in ${OTHER}.`);
  await api.post("/api/memory", { title: "place", content: `Ann hides in ${WORD}.`, target_id: ANN });
  await api.post("/api/memory", { title: "place", content: `Ben hides in ${OTHER}.`, target_id: BEN });
  await api.send("POST", "/api/person-links", { body: { name: WORD, target_id: "imA:user:4242", same_as: ANN } });
  await api.post("/api/logs", { message: `${PRIVATE} said ${WORD}` });
  await api.post("/api/logs", { message: `fake:private:42421 said ${OTHER}` });
  await api.send("POST", "/api/sessions/fake%3Agroup%3Ateam-1/public", { body: {} });
  await eventually(async () => expect((await api.get<List<unknown>>("/api/memory")).total).toBeGreaterThanOrEqual(2));
}

const erase = (person = ANN, body: object = { confirm: true }) =>
  api.send("DELETE", `/api/people/${encodeURIComponent(person)}`, { body });

test("a person's data are exported completely", { timeout: 60_000 }, async () => {
  await createTraces();
  const people = await api.get<List<{ person_id: string; name: string }>>("/api/people");
  expect(people.items.map(({ person_id }) => person_id)).toEqual(expect.arrayContaining([ANN, BEN]));
  const response = await fetch(new URL(`/api/people/${encodeURIComponent(ANN)}/export`, api.address), {
    headers: { authorization: `Bearer ${api.token}` },
  });
  expect(response.headers.get("content-type")).toBe("application/zip");
  const entries = await openArchive(new Uint8Array(await response.arrayBuffer()));
  const texts = new Map(
    await Promise.all(entries.map(async (one) => [one.name, Buffer.from(await one.bytes()).toString()] as const)),
  );
  for (const name of [
    "messages.json",
    "memories.json",
    "links.json",
    "tables/inbox.json",
    "tables/token_usage.json",
    "traces.json",
  ]) {
    expect(texts.get(name), name).toBeDefined();
  }
  const all = [...texts.values()].join("\n");
  expect([...texts].filter(([, text]) => text.includes(OTHER)).map(([name]) => name)).toEqual([]);
  expect([...texts.keys()].some((name) => name.startsWith("files/"))).toBe(true);
  expect(all).toContain(`my file: ${WORD}`);
});

test("erasing a person requires a confirmation and an address", async () => {
  expect(await erase(ANN, {})).toMatchObject({ status: 400, json: { code: "confirmation_required" } });
  expect(await erase("nobody")).toMatchObject({ status: 404 });
  expect((await api.send("GET", "/api/people/nobody/export")).status).toBe(404);
});

test("nothing remains of an erased person in any table or file, and the data of others stay", {
  timeout: 120_000,
}, async () => {
  await parley[Symbol.asyncDispose]();
  for (const file of isInFiles ? ["parley.db", "gateway.db"] : []) addRows(join(root, "data", file));
  mkdirSync(join(root, "data", "logs"), { recursive: true });
  writeFileSync(join(root, "data", "logs", "parley-2026-01-02.log"), `a line\n${PRIVATE} ${WORD}\n${BEN} ${OTHER}\n`);
  await start();
  const cache = parley.host.get(Caches).open<string>("test", { ttlMs: 3_600_000, max: 10 });
  await cache.set("key", WORD);
  expect(filesWith(WORD).length).toBeGreaterThan(isInFiles ? 3 : 2);
  const usage = async () => (await api.get<{ total: { requests: number } }>("/api/tokens")).total.requests;
  const before = await usage();

  const { status, json } = await erase();
  expect({ status, json }).toMatchObject({ status: 200, json: { data: { status: "done" } } });
  const { job_id, counts } = (json?.data ?? {}) as { job_id: string; counts: Record<string, number> };
  expect(counts).toMatchObject({ conversations: 1, "files.of-person": 1 });

  expect(await findTablesWith(WORD)).toEqual([]);
  for (const name of [ANN, `${PRIVATE}"`, `"4242"`]) expect(await findTablesWith(name), name).toEqual([]);
  expect(await usage()).toBe(before);
  expect(filesWith(WORD)).toEqual([]);
  expect(JSON.stringify(await api.get(`/api/jobs/${job_id}`))).not.toContain(ANN);

  expect(filesWith(OTHER)).toContain(join("data", "logs", "parley-2026-01-02.log"));
  const { items } = await api.get<List<Message>>("/api/sessions/fake%3Agroup%3Ateam-1/messages");
  expect(items.map(({ content }) => content)).toEqual([`I said ${OTHER} in the group`, "Good to know."]);
  expect(await findTablesWith(OTHER)).toEqual(expect.arrayContaining(["messages", "memories", "logs", "inbox"]));
  expect((await api.get<List<unknown>>(`/api/memory?q=${OTHER}`)).total).toBeGreaterThan(0);
  const people = await api.get<List<{ person_id: string }>>("/api/people");
  expect(people.items.map(({ person_id }) => person_id)).toEqual([BEN]);
});

test("an interrupted erasure continues after a restart, and completes", { timeout: 120_000 }, async () => {
  await createTraces();
  let left = 1;
  const failing = definePlugin({
    id: "failing",
    register({ contribute }) {
      contribute(RecordLifecycle, () => ({
        id: "failing.of-person",
        of: "person" as const,
        async erase({ sessions }) {
          // On the second call the conversations are already deleted; the process then ends.
          if (left-- > 0 || sessions.length === 0) return 0;
          throw new Error("the process ended here");
        },
      }));
    },
  });
  await parley[Symbol.asyncDispose]();
  await start([failing]);
  const begun = erase();
  await eventually(async () => expect((await api.send("GET", `/api/sessions/${PRIVATE}`)).status).toBe(404));
  await parley[Symbol.asyncDispose]();
  await begun.catch(() => undefined);
  await start();
  await eventually(async () => {
    const { items } = await api.get<List<{ status: string }>>("/api/jobs?kind=people.erase");
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(["done"]));
  });
  expect(await findTablesWith(WORD)).toEqual([]);
  if (isInFiles) expect(filesWith(WORD)).toEqual([]);
});

/** Adds a row with the word and the person's conversation to every table that does not hold configuration. */
function addRows(file: string): void {
  using database = new DatabaseSync(file);
  const names = database.prepare("select name from sqlite_schema where type = 'table'").all();
  for (const { name } of names) {
    if (/^(sqlite_|migration|documents$|record|text_|schedules$|window_counts$)/.test(String(name))) continue;
    if (RETAINED_TABLES.has(String(name))) continue;
    const columns = database.prepare(`select name, lower(type) as type from pragma_table_info('${name}')`).all();
    const values = columns.map(({ type }) => (/^(int|big|double|real)/.test(String(type)) ? 7 : `${PRIVATE} ${WORD}`));
    const marks = columns.map(() => "?").join(", ");
    const list = columns.map((one) => `"${one.name}"`).join(", ");
    database.prepare(`insert into "${name}" (${list}) values (${marks})`).run(...values);
  }
}

/** Tables without names of people, or searched by their plugins. */
const RETAINED_TABLES = new Set([
  "sessions",
  "messages",
  "message_branches",
  "message_counts",
  "message_favorites",
  "broadcasts",
  "files",
  "file_uses",
  "memories",
  "spoken",
  "spoken_uses",
  "heard",
  "filter_hits",
  "tool_switches",
  "knowledge_documents",
  "knowledge_contents",
  "oauth_clients",
  "oauth_codes",
  "oauth_grants",
  "automation_states",
  "gateway_nodes",
  "gateway_homes",
  "gateway_minutes",
  // Found by the id of the row they belong to.
  "dedupe",
  "job_logs",
  "job_steps",
  "automation_steps",
  "embedding_cache",
  "token_usage",
]);
