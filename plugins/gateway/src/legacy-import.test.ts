import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Database, type Databases, systemClock } from "@parley/core";
import { memoryDatabase } from "@parley/testing";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { migrateMainDatabase } from "./legacy-import.ts";
import { LEGACY_MIGRATIONS } from "./legacy-migrations.ts";
import { HISTORY_MIGRATIONS } from "./migrations.ts";
import { createGatewayStore } from "./store/gateway-store.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-move-"));
  file = join(folder, "gateway.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a file of the version that stored everything in one database. */
async function earlierFile(steps = LEGACY_MIGRATIONS.length) {
  const old = memoryDatabase(file);
  await old.migrate("gateway", LEGACY_MIGRATIONS.slice(0, steps));
  const at = { received_ms: 1, updated_ms: 1 };
  const item = { channel_id: "c", session_id: "s", runs: 0, ...at };
  const db = old.tables<Record<string, object>>();
  const message = '{"text":"hello"}';
  for (const [n, state] of ["waiting", "done", "dead"].entries()) {
    const row = { ...item, id: `qi_${n}`, trace_id: `gw_${n}`, state, message };
    await db.insertInto("inbox").values(row).execute();
  }
  const outcome = { traceId: "gw_1", state: "answered", userMessage: { id: "msg_u" }, replies: [{ id: "msg_r" }] };
  const turn = { inbox_id: "qi_1", trace_id: "gw_1", phase: null, draft: null, outcome: JSON.stringify(outcome) };
  await db
    .insertInto("turn")
    .values({ ...turn, updated_ms: 1 })
    .execute();
  const draft = {
    ...turn,
    inbox_id: "qi_0",
    trace_id: "gw_0",
    phase: "answer",
    draft: '{"text":"hello"}',
    outcome: null,
  };
  await db
    .insertInto("turn")
    .values({ ...draft, updated_ms: 1 })
    .execute();
  await db
    .insertInto("dedupe")
    .values({ key: "k", inbox_id: "qi_1", trace_id: "gw_1", first_ms: 1, hits: 2 })
    .execute();
  const sent = { id: "dlv_1", trace_id: "gw_1", channel_id: "c", session_id: "s", conversation_id: "1", message };
  await db
    .insertInto("outbox")
    .values({ ...sent, state: "pending", next_ms: 1, created_ms: 1, updated_ms: 1 })
    .execute();
  await sql`create table mcp_audit (id text primary key, tool text)`.execute(db);
  await sql`insert into mcp_audit values ('audit_1', 'act')`.execute(db);
  await sql`create table migrations (owner text, id text, applied_at text, primary key (owner, id))`.execute(db);
  await sql`insert into migrations values ('gateway', '001', 'x'), ('mcp-bridge', '001-mcp-audit', 'x')`.execute(db);
  return old;
}

function databasesWith(old: Database): Databases {
  return { main: memoryDatabase(), open: async () => old };
}

async function countsIn(database: Database, tables: readonly string[]) {
  const db = database.tables<Record<string, { readonly id: string }>>();
  const counts = tables.map(async (table) => [table, (await db.selectFrom(table).selectAll().execute()).length]);
  return Object.fromEntries(await Promise.all(counts));
}

describe("a gateway.db from when it held everything", () => {
  test.each([1, 2, 3])("as of step %s gives what delivery depends on to the main database", async (steps) => {
    const old = await earlierFile(steps);
    const databases = databasesWith(old);
    const { main } = databases;
    await main
      .tables()
      .schema.createTable("migrations")
      .addColumn("owner", "text")
      .addColumn("id", "text")
      .addColumn("applied_at", "text")
      .execute();
    await migrateMainDatabase(databases, file);
    expect(await countsIn(main, ["inbox", "dedupe", "outbox", "turn_draft", "mcp_audit"])).toEqual({
      inbox: 3,
      dedupe: 1,
      outbox: 1,
      turn_draft: 1,
      mcp_audit: 1,
    });
    const store = createGatewayStore({ main: () => main, history: () => undefined, clock: systemClock });
    expect(await store.findOutcome("gw_1")).toMatchObject({
      isKnown: true,
      outcome: { userMessage: "msg_u", replies: ["msg_r"] },
    });
    expect((await store.listOpenDeliveries()).map(({ id }) => id)).toEqual(["dlv_1"]);
    const { draft } = await store.claim({ id: "qi_0", traceId: "gw_0", isFirst: false } as never, "boot");
    expect(draft).toMatchObject({ phase: "answer", turn: { text: "hello", effects: [], data: {} } });
    // The history stays, and goes on; the file as it was is kept.
    await old.migrate("gateway-history", HISTORY_MIGRATIONS);
    const oldFile = new DatabaseSync(`${file}.before-move`, { readOnly: true });
    expect(oldFile.prepare("select count(*) as count from inbox").get()).toEqual({ count: 3 });
    oldFile.close();
  });

  test("is moved once: a start that was interrupted afterwards only clears it away", async () => {
    const old = await earlierFile();
    const databases = databasesWith(old);
    await databases.main
      .tables()
      .schema.createTable("migrations")
      .addColumn("owner", "text")
      .addColumn("id", "text")
      .addColumn("applied_at", "text")
      .execute();
    await migrateMainDatabase(databases, file);
    const names = () =>
      read("select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name");
    expect(names()).toEqual(["gateway_logs", "migrations", "turn_record"]);
    await migrateMainDatabase(databases, file);
    expect(await countsIn(databases.main, ["inbox"])).toEqual({ inbox: 3 });
  });

  test("that cannot be kept aside stops the start with a sentence, and nothing is changed", async () => {
    const old = await earlierFile();
    const databases = databasesWith(old);
    const failing = { ...databases.main, migrate: () => Promise.reject(new Error("disk is full")) };
    await expect(migrateMainDatabase({ ...databases, main: failing }, file)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/cannot be moved into the main database: disk is full\. Nothing was changed/),
    });
    expect(await countsIn(old, ["inbox", "outbox", "dedupe"])).toEqual({ inbox: 3, outbox: 1, dedupe: 1 });
  });

  function read(query: string): readonly string[] {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      return (db.prepare(query).all() as unknown as readonly { readonly name: string }[]).map(({ name }) => name);
    } finally {
      db.close();
    }
  }
});
