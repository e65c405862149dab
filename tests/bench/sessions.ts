// Appending a message and reading the newest page, in a session of 1,000 and of 100,000 messages.
// node --conditions=@parley/source tests/bench/sessions.ts
import { createClient } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";

const SMALL = 1_000;
const LARGE = 100_000;
const ROUNDS = 300;

const parley = await startParley();
try {
  const api = await parley.signIn();
  const small = await sessionOf(SMALL);
  const large = await sessionOf(LARGE);
  await cost(small);
  const reference = await cost(small);
  const measured = await cost(large);
  for (const what of ["append", "page"] as const) {
    const ratio = (measured[what] / reference[what]).toFixed(2);
    console.log(
      `${what}: ${reference[what].toFixed(2)} ms at ${SMALL}, ${measured[what].toFixed(2)} ms at ${LARGE}, ratio ${ratio} (budget 1.5)`,
    );
  }

  /** A session with that many messages, put in by the import. */
  async function sessionOf(count: number): Promise<string> {
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

  /** The median of one append and of one page, over real HTTP. */
  async function cost(id: string) {
    const appends: number[] = [];
    const pages: number[] = [];
    const client = createClient(parley.address, api.token);
    for (let round = 0; round < ROUNDS; round += 1) {
      appends.push(await timed(() => client.post(`/api/sessions/${id}/messages`, { content: `round ${round}` })));
      pages.push(await timed(() => client.get(`/api/sessions/${id}/messages?order=desc&limit=50`)));
    }
    return { append: median(appends), page: median(pages) };
  }
} finally {
  await parley[Symbol.asyncDispose]();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now();
  await work();
  return performance.now() - at;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
