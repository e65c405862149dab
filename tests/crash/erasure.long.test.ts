import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { signIn, startKillable } from "./killable.ts";

/** Milliseconds from the request to the kill. */
const KILLED_AFTER_MS = [0, 15, 30, 60, 120, 250];
/** A word that no index changes. */
const WORD = "xylbrontek";
const PERSON = "web:user:ann";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "parley-erased-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = error\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const findTables = (word: string) => {
  using database = new DatabaseSync(join(root, "data", "parley.db"), { readOnly: true });
  const names = database.prepare("select name from sqlite_schema where type = 'table'").all();
  return names.flatMap(({ name }) => {
    const rows = database.prepare(`select * from "${name}"`).all();
    return JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? String(value) : value)).includes(word)
      ? [String(name)]
      : [];
  });
};
const findFiles = (word: string) =>
  readdirSync(join(root, "data"), { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(root, "data", name);
    return statSync(path).isFile() && readFileSync(path).includes(word);
  });

async function live(admin: Client, ann: Client): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    const { id } = await ann.post<{ id: string }>("/api/sessions", { name: `${WORD} ${count}` });
    await ann.send("POST", `/api/sessions/${id}/chat`, { body: { content: `I live in ${WORD}`, wait: false } });
  }
  await admin.post("/api/memory", { title: "place", content: `She hides in ${WORD}.`, target_id: PERSON });
}

const erase = (admin: Client) =>
  admin.send("DELETE", `/api/people/${encodeURIComponent(PERSON)}`, { body: { confirm: true } });
const states = async (admin: Client) => {
  const { items } = await admin.get<{ items: { status: string }[] }>("/api/jobs?kind=people.erase&limit=100");
  return new Set(items.map(({ status }) => status));
};

test("a killed erasure continues after the start, and a completed one left no text", async () => {
  let running = await startKillable(root);
  let admin = await signIn(running);
  const { password } = await admin.post<{ password: string }>("/api/accounts", { name: "ann", role: "operator" });
  const signInAnn = async () => {
    const open = createClient(running.address, "");
    return open.as((await open.post<{ token: string }>("/api/login", { username: "ann", password })).token);
  };
  for (const afterMs of KILLED_AFTER_MS) {
    await live(admin, await signInAnn());
    expect(findTables(WORD)).toEqual(expect.arrayContaining(["memories", "messages", "sessions"]));
    const asked = erase(admin).catch(() => undefined);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, afterMs);
    const answer = await Promise.race([asked, late]);
    running.child.kill("SIGKILL");
    await running.ended;
    const json = answer?.json as { data?: { status?: string } } | undefined;
    if (json?.data?.status === "done") expect(findTables(WORD)).toEqual([]);
    running = await startKillable(root);
    admin = await signIn(running);
    // An accepted erasure completes by itself; one that was not accepted can be requested again.
    await eventually(async () => expect([...(await states(admin))].filter((state) => state !== "done")).toEqual([]));
    if (findTables(WORD).length > 0)
      expect(await erase(admin)).toMatchObject({ status: 200, json: { data: { status: "done" } } });
    expect(findTables(WORD)).toEqual([]);
  }
  await running.stop();
  expect(findFiles(WORD)).toEqual([]);
}, 900_000);
