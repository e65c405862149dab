// Measures the recall of memories for a turn, with 100 memories and with 100,000 of a thousand people, and the event loop time it takes.
// node --conditions=@parley/source tests/bench/memory.ts
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Clock, Databases, type Memory, newId, TextIndex, type Write } from "@parley/core";
import { startHost } from "@parley/host";
import { recall } from "../../plugins/memory/src/recall/recall.ts";
import { memories } from "../../plugins/memory/src/schema.ts";
import { createMemoryIndex } from "../../plugins/memory/src/store/memory-index.ts";
import { createMemoryStore } from "../../plugins/memory/src/store/memory-store.ts";
import { retrievalCorpus } from "./retrieval-corpus.ts";

const SIZES = [100, 100_000] as const;
const PER_PERSON = 100;
const AT_ONCE = 500;
const TURNS = 300;
const BUDGET_MS = 30;
const BUDGET_LOOP_MS = 3;
const BUDGET_RATIO = 3;
const { passages, questions } = retrievalCorpus();

const measured = new Map<number, { readonly p95: number; readonly loop: number }>();
for (const size of SIZES) measured.set(size, await measureTurns(size));
const [few, many] = SIZES.map((size) => measured.get(size) ?? { p95: 0, loop: 0 });
report("recall, many to few", (many?.p95 ?? 0) / (few?.p95 || 1), BUDGET_RATIO, "x");

async function measureTurns(size: number) {
  const root = mkdtempSync(join(tmpdir(), "parley-memories-"));
  const host = await startHost({ root, flags: { port: 0 }, env: { SVC_ADMIN_PASSWORD: "correct horse" } });
  try {
    const { main } = host.get(Databases);
    const clock = host.get(Clock);
    const store = createMemoryStore(
      () => main,
      () => clock.now(),
    );
    const index = createMemoryIndex({ index: () => host.get(TextIndex), database: () => main, calls: () => undefined });
    for (let at = 0; at < size; at += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, size - at) }, (_, one) =>
        createMemory(at + one, clock.now()),
      );
      const writes = await Promise.all(
        some.map(async (one) => [store.insertWrite(one), ...(await index.putWrites(one))]),
      );
      await main.write(writes.flat() as Write[]);
    }
    const people = Math.max(1, size / PER_PERSON);
    const turn = (at: number) =>
      recall(
        { store, index, clock, calls: () => undefined },
        {
          text: questions[(at * 13) % questions.length]?.text ?? "",
          audience: { addresses: [formatAddress((at * 7) % people)], characterId: null },
          maxTokens: 600,
          timeZone: "UTC",
          signal: new AbortController().signal,
        },
      );
    for (let at = 0; at < 20; at += 1) await turn(at);
    const times: number[] = [];
    const before = readCpuMs();
    let found = 0;
    for (let at = 0; at < TURNS; at += 1) {
      const since = performance.now();
      found += (await turn(at)).length;
      times.push(performance.now() - since);
    }
    const loop = (readCpuMs() - before) / TURNS;
    times.sort((a, b) => a - b);
    const p95 = times[Math.floor(TURNS * 0.95)] ?? 0;
    console.log(
      `${size} memories of ${people} people, ${(found / TURNS).toFixed(1)} recalled (load ${loadavg()[0]?.toFixed(1)})`,
    );
    report("  recall p50", times[TURNS / 2] ?? 0, BUDGET_MS, "ms");
    report("  recall p95", p95, BUDGET_MS, "ms");
    report("  event loop, for each turn", loop, BUDGET_LOOP_MS, "ms of CPU");
    return { p95, loop };
  } finally {
    await host[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  }
}

function createMemory(number: number, now: number): Memory {
  const content = `${passages[(number * 7) % passages.length]?.text}`;
  const time = new Date(now - number * 60_000).toISOString();
  return {
    ...memories.defaults,
    id: newId("mem", now),
    title: content.slice(0, 30),
    content,
    summary: content.slice(0, 100),
    target_id: formatAddress(Math.floor(number / PER_PERSON)),
    importance: 1 + (number % 10),
    expires_at: null,
    said_at: time,
    message_id: null,
    source_turn_id: null,
    fact: null,
    replaced_at: null,
    replaced_by: null,
    last_recalled_at: null,
    recall_count: 0,
    created_at: time,
    updated_at: time,
    revision: 1,
  } as Memory;
}

function formatAddress(person: number): string {
  return `web:user:p${person}`;
}

/** Returns the CPU time of this thread, without that of the search threads. */
function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function report(what: string, value: number, budget: number, unit: string): void {
  console.log(`${what}: ${value.toFixed(2)} ${unit} (budget ${budget})`);
}
