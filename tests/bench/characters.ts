// Measures a list, a search, a state and a turn with 10 characters, and with 10,000 and 100,000 conversations of one of them; and the
// time to detect the mood of a long message.
// node --conditions=@parley/source tests/bench/characters.ts
import { Databases, fixedStatement, RecordStore, Resources, type Write } from "@parley/core";
import { startModelServer } from "@parley/simulators";
import { scoreSignals } from "../../plugins/characters/src/reactions/signals.ts";
import { createClient } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";

const SMALL = 10;
const CHARACTERS = 10_000;
const SCOPES = 100_000;
const ROUNDS = 200;
const MESSAGE_CHARS = 2_000;
const SCORED = 2_000;
/** Texts of 2,000 characters: ordinary ones, and ones in which every word shows a mood. */
const MESSAGES = {
  "a Chinese message": "今天我很开心，因为你真棒，可是有点累，不喜欢下雨。",
  "an English message": "I don't know why, but you are so smart and I was sad about it. ",
  "nothing but feelings":
    "我爱你！真棒！滚开，讨厌你。抱抱，别怕。I love you! shut up, idiot, you are so smart. 不喜欢",
  "a message without any": "The ferry to the north island leaves from pier four at half past nine on weekdays; ",
};

measureScoring();

await using models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
await using parley = await startParley();
const api = await parley.signIn();
const model = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
await api.post(`/api/ai-models/${model.id}/apply`, {});
const { main } = parley.host.get(Databases);
const kind = parley.host.all(Resources).find((one) => one.kind === "character");
if (!kind) throw new Error("there are no characters");

await fill(0, SMALL);
const id = await findId("Captain 3");
const session = (await api.post<{ id: string }>("/api/sessions", { character_id: id })).id;
await insertScopes(0, SMALL);
await measureCost(false);
const reference = await measureCost(false);
await fill(SMALL, CHARACTERS);
await insertScopes(SMALL, SCOPES);
const measured = await measureCost(true);
for (const what of Object.keys(reference) as (keyof typeof reference)[]) {
  const ratio = (measured[what] / reference[what]).toFixed(2);
  const [few, many] = [reference[what].toFixed(2), measured[what].toFixed(2)];
  console.log(`${what}: ${few} ms with few, ${many} ms with many, ratio ${ratio} (budget 1.5)`);
}

/** Measures many runs in a row in an otherwise empty process; the first one includes compilation. */
function measureScoring(): void {
  for (const [what, part] of Object.entries(MESSAGES)) {
    const text = part.repeat(Math.ceil(MESSAGE_CHARS / part.length)).slice(0, MESSAGE_CHARS);
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let round = 0; round < SCORED; round += 1) {
      const begun = performance.now();
      scoreSignals(text);
      times.push(performance.now() - begun);
    }
    const { user, system } = process.cpuUsage(before);
    const mean = ((user + system) / 1_000 / SCORED).toFixed(3);
    const first = (times[0] ?? 0).toFixed(3);
    times.sort((a, b) => a - b);
    const measureMedian = (times[SCORED >> 1] ?? 0).toFixed(3);
    console.log(
      `scoring ${what}: median ${measureMedian} ms, of the CPU ${mean} ms, the first ${first} ms (budget 0.3)`,
    );
  }
}

async function fill(from: number, to: number): Promise<void> {
  const records = parley.host.get(RecordStore).of(kind as never);
  const lore = "She has sailed every sea there is. ".repeat(60);
  for (let at = from; at < to; at += 500) {
    const writes: Write[] = [];
    for (let index = at; index < Math.min(at + 500, to); index += 1) {
      const name = index < SMALL ? `Captain ${index}` : `Figure ${index}`;
      const draft = { name, description: lore, personality: lore, tags: ["sea", `no${index}`] };
      writes.push(...(await records.creating(draft as never)).writes);
    }
    await main.write(writes);
  }
}

async function insertScopes(from: number, to: number): Promise<void> {
  const insert = `insert into character_states values (?, ?, '平静', 0.5, 70, '{}', 1, null, '2026-01-01T00:00:00.000Z', 1)`;
  for (let at = from; at < to; at += 5_000) {
    const count = Math.min(5_000, to - at);
    const write = (_: unknown, step: number) => ({ query: fixedStatement(insert, [id, `web:sess_${at + step}`]) });
    await main.write(Array.from({ length: count }, write));
  }
}

async function findId(name: string): Promise<string> {
  const { items } = await api.get<{ items: readonly { id: string }[] }>(
    `/api/characters?q=${encodeURIComponent(name)}`,
  );
  return items[0]?.id ?? "";
}

/** Measures medians over real HTTP. */
async function measureCost(isMany: boolean) {
  const client = createClient(parley.address, api.token);
  const list = await median(() => client.get("/api/characters?limit=10"));
  // Both searches return ten characters: one has only ten matches, the other matches nearly all.
  const search = await median(() => client.get("/api/characters?limit=10&q=Captain"));
  const common = await median(() => client.get(`/api/characters?limit=10&q=${isMany ? "Figure" : "Captain"}`));
  const state = await median(() => client.get(`/api/characters/${id}/state?session_id=${session}`));
  const turn = await median(() => client.post(`/api/sessions/${session}/chat`, { content: "good job" }));
  return { list, search, "search for what nearly all have": common, state, turn };
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
