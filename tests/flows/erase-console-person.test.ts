import { Databases, Gateway, type Message } from "@parley/core";
import type { List } from "@parley/core/http";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

/** A word that no index stems or splits. */
const WORD = "xylbrontek";
const OTHER = "quarvolite";

let parley: Parley;
let models: ModelServer;
let admin: Client;

beforeAll(async () => {
  [parley, models] = await Promise.all([
    startParley(),
    startModelServer({ answer: () => ({ kind: "text", text: "Good to know." }) }),
  ]);
  admin = await parley.signIn();
  const model = { name: "m", model: "m", base_url: models.baseUrl };
  const { id } = await admin.post<{ id: string }>("/api/ai-models", model);
  await admin.post(`/api/ai-models/${id}/apply`, {});
});
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});

async function account(name: string): Promise<Client> {
  const { password } = await admin.post<{ password: string }>("/api/accounts", { name, role: "operator" });
  const open = createClient(parley.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: name, password });
  return open.as(token);
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

test("nothing remains of an erased console person, and the data of others stay", async () => {
  const [ann, ben] = [await account("ann"), await account("ben")];
  const say = async (api: Client, content: string) => {
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: content });
    await api.post(`/api/sessions/${id}/chat`, { content });
    return id;
  };
  const anns = await say(ann, `I live in ${WORD}`);
  const bens = await say(ben, `I live in ${OTHER}`);
  await admin.post("/api/memory", { title: "place", content: `She hides in ${WORD}.`, target_id: "web:user:ann" });
  await admin.post("/api/memory", { title: "place", content: `He hides in ${OTHER}.`, target_id: "web:user:ben" });
  await parley.host.get(Gateway).idle();
  expect(await findTablesWith(WORD)).toEqual(expect.arrayContaining(["messages", "memories", "sessions"]));

  const erased = await admin.send("DELETE", "/api/people/web%3Auser%3Aann", { body: { confirm: true } });
  expect(erased).toMatchObject({ status: 200, json: { data: { status: "done" } } });

  expect(await findTablesWith(WORD)).toEqual([]);
  expect((await admin.send("GET", `/api/sessions/${anns}`)).status).toBe(404);
  const { items } = await ben.get<List<Message>>(`/api/sessions/${bens}/messages`);
  expect(items.map(({ content }) => content)).toEqual([`I live in ${OTHER}`, "Good to know."]);
  expect((await admin.get<List<unknown>>(`/api/memory?q=${OTHER}`)).total).toBe(1);
});

test("a sender label in a request makes no memories of others readable", async () => {
  const eve = await account("eve");
  await admin.post("/api/memory", { title: "secret", content: `Zoe hides in ${WORD}.`, target_id: "web:user:zoe" });
  const { id } = await eve.post<{ id: string }>("/api/sessions", { name: "probe" });
  const content = `what do you know of ${WORD}?`;
  await eve.post(`/api/sessions/${id}/chat`, { content, sender: "zoe", sender_id: "zoe" });
  expect(models.requests.length).toBeGreaterThan(0);
  expect(JSON.stringify(models.requests.at(-1)?.body)).not.toContain("Zoe hides");
});
