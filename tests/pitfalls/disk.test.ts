import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, Databases } from "@parley/core";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;
let session: string;

beforeEach(async () => {
  parley = await startParley();
  api = await parley.signIn();
  session = (await api.post<{ id: string }>("/api/sessions", { name: "kept" })).id;
});
afterEach(() => parley[Symbol.asyncDispose]());

/** Simulates a full disk: SQLite fails with the same code. */
async function fill(database: Database): Promise<() => Promise<unknown>> {
  const tables = database.tables<object>();
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(tables);
  await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(tables);
  return () => sql.raw("pragma max_page_count = 1073741823").execute(tables);
}

const long = "a long message ".repeat(1000);

describe("13.1 a full disk", () => {
  test("is a 503 without an acknowledgement for an incoming message, and recovery is automatic", async () => {
    const release = await fill(parley.host.get(Databases).main);
    const path = `/api/sessions/${session}/chat`;
    let rejected = await api.send("POST", path, { body: { content: long, wait: false } });
    // What fits into pages that are open already is still taken.
    for (let tries = 0; rejected.status === 202 && tries < 50; tries += 1) {
      rejected = await api.send("POST", path, { body: { content: long, wait: false } });
    }
    expect(rejected).toMatchObject({ status: 503, json: { code: "unavailable" } });
    expect(rejected.text).not.toMatch(/SQLITE|sqlite|\/tmp/);
    await release();
    const answer = await api.post<{ replies: readonly object[] }>(path, { content: "after" });
    expect(answer.replies).toHaveLength(1);
  });

  test("leaves stored data unchanged", async () => {
    const { main } = parley.host.get(Databases);
    const before = await api.get<{ total: number }>(`/api/sessions/${session}/messages`);
    const release = await fill(main);
    const path = `/api/sessions/${session}/messages`;
    let stored = before.total;
    let rejected = await api.send("POST", path, { body: { content: long } });
    for (; rejected.status === 200 && stored < 50; stored += 1)
      rejected = await api.send("POST", path, { body: { content: long } });
    expect(rejected).toMatchObject({ status: 503, json: { code: "unavailable" } });
    expect((await api.get<{ total: number }>(path)).total).toBe(stored);
    await release();
    expect((await api.send("POST", path, { body: { content: long } })).status).toBe(200);
  });
});

describe.each([
  ["settings.json", "/api/settings", { features: { ai: true } }, { chat: { turn_timeout_s: 100 } }],
  ["channels.json", "/api/channels/web", { channels: [] }, { description: "changed" }],
] as const)("13.3 %s", (name, path, good, change) => {
  test.each([
    ["half written", '{"a":'],
    ["empty", ""],
    ["of another kind", '"text"'],
  ])(
    "%s: the last valid one stays in effect and is never overwritten, and changes wait for the repair",
    async (_how, broken) => {
      const file = join(parley.host.data, name);
      writeFileSync(file, JSON.stringify(good));
      writeFileSync(file, broken);
      // The service looks at most once a second; a change looks at once.
      expect(await api.send("PUT", path, { body: change })).toMatchObject({ status: 409, json: { code: "conflict" } });
      expect(readFileSync(file, "utf8")).toBe(broken);
      expect((await api.send("GET", "/api/channels")).status).toBe(200);
      writeFileSync(file, JSON.stringify(good));
      expect((await api.send("PUT", path, { body: change })).status).toBe(200);
    },
  );

  test("with a byte order mark is read", async () => {
    writeFileSync(join(parley.host.data, name), `\uFEFF${JSON.stringify(good)}`);
    expect((await api.send("PUT", path, { body: change })).status).toBe(200);
  });
});
