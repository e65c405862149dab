// A list, a search, a state and a turn with 10 characters, and with 10,000 and 100,000 conversations of one of them.
// node --conditions=@parley/source tests/bench/characters.ts
import { Databases, fixedStatement, RecordStore, Resources, type Write } from "@parley/core";
import { startModelServer } from "@parley/simulators";
import { createClient } from "../harness/client.ts";
import { startParley } from "../harness/parley.ts";

const SMALL = 10;
const CHARACTERS = 10_000;
const SCOPES = 100_000;
const ROUNDS = 200;

await using models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
await using parley = await startParley();
const api = await parley.signIn();
const model = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
await api.post(`/api/ai-models/${model.id}/apply`, {});
const { main } = parley.host.get(Databases);
const kind = parley.host.all(Resources).find((one) => one.kind === "character");
if (!kind) throw new Error("there are no characters");

await fill(0, SMALL);
const id = await idOf("Figure 3");
const session = (await api.post<{ id: string }>("/api/sessions", { character_id: id })).id;
await scopes(0, SMALL);
await cost();
const reference = await cost();
await fill(SMALL, CHARACTERS);
await scopes(SMALL, SCOPES);
const measured = await cost();
for (const what of Object.keys(reference) as (keyof typeof reference)[]) {
  const ratio = (measured[what] / reference[what]).toFixed(2);
  const [few, many] = [reference[what].toFixed(2), measured[what].toFixed(2)];
  console.log(`${what}: ${few} ms with few, ${many} ms with many, ratio ${ratio} (budget 1.5)`);
}

async function fill(from: number, to: number): Promise<void> {
  const records = parley.host.get(RecordStore).of(kind as never);
  const lore = "She has sailed every sea there is. ".repeat(60);
  for (let at = from; at < to; at += 500) {
    const writes: Write[] = [];
    for (let index = at; index < Math.min(at + 500, to); index += 1) {
      const draft = { name: `Figure ${index}`, description: lore, personality: lore, tags: ["sea", `no${index}`] };
      writes.push(...(await records.creating(draft as never)).writes);
    }
    await main.write(writes);
  }
}

async function scopes(from: number, to: number): Promise<void> {
  const insert = `insert into character_states values (?, ?, '平静', 0.5, 70, '{}', 1, null, '2026-01-01T00:00:00.000Z', 1)`;
  for (let at = from; at < to; at += 5_000) {
    const count = Math.min(5_000, to - at);
    const write = (_: unknown, step: number) => ({ query: fixedStatement(insert, [id, `web:sess_${at + step}`]) });
    await main.write(Array.from({ length: count }, write));
  }
}

async function idOf(name: string): Promise<string> {
  const { items } = await api.get<{ items: readonly { id: string }[] }>(
    `/api/characters?q=${encodeURIComponent(name)}`,
  );
  return items[0]?.id ?? "";
}

/** Medians over real HTTP. */
async function cost() {
  const client = createClient(parley.address, api.token);
  const list = await median(() => client.get("/api/characters?limit=10"));
  const search = await median(() => client.get("/api/characters?limit=10&q=Figure%203"));
  const state = await median(() => client.get(`/api/characters/${id}/state?session_id=${session}`));
  const turn = await median(() => client.post(`/api/sessions/${session}/chat`, { content: "good job" }));
  return { list, search, state, turn };
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
}
