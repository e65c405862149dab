// Measures appending a message and reading the newest page, in a session of 1,000 and of 100,000 messages.
// node --conditions=@parley/source tests/bench/sessions.ts
import { createClient } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";

const SMALL = 1_000;
const LARGE = 100_000;
const ROUNDS = 300;

const parley = await startParley();
try {
  const api = await parley.signIn();
  const small = await importSession(SMALL);
  const large = await importSession(LARGE);
  await measureCost(small);
  const reference = await measureCost(small);
  const measured = await measureCost(large);
  for (const what of ["append", "page"] as const) {
    const ratio = (measured[what] / reference[what]).toFixed(2);
    console.log(
      `${what}: ${reference[what].toFixed(2)} ms at ${SMALL}, ${measured[what].toFixed(2)} ms at ${LARGE}, ratio ${ratio} (budget 1.5)`,
    );
  }

  /** Imports a session with this many messages and returns its id. */
  async function importSession(count: number): Promise<string> {
    const step = 20_000;
    const messages = Array.from({ length: Math.min(count, step) }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `message ${index} of a long conversation`,
    }));
    const all = Array.from({ length: Math.ceil(count / step) }, () => messages).flat();
    const { items } = await api.post<{ items: readonly { id: string }[] }>("/api/sessions/import", {
      session: { name: "bench", messages: all },
    });
    return items[0]?.id ?? "";
  }

  /** Measures the medians of an append and of a page, over real HTTP. */
  async function measureCost(id: string) {
    const appends: number[] = [];
    const pages: number[] = [];
    const client = createClient(parley.address, api.token);
    for (let round = 0; round < ROUNDS; round += 1) {
      appends.push(await measureMs(() => client.post(`/api/sessions/${id}/messages`, { content: `round ${round}` })));
      pages.push(await measureMs(() => client.get(`/api/sessions/${id}/messages?order=desc&limit=50`)));
    }
    return { append: computeMedian(appends), page: computeMedian(pages) };
  }
} finally {
  await parley[Symbol.asyncDispose]();
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now();
  await work();
  return performance.now() - at;
}

function computeMedian(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
