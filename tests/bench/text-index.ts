// Measures 100,000 passages: searching, adding, size on disk, and how long the event loop is blocked.
// node --conditions=@parley/source tests/bench/text-index.ts
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Databases, TextIndex } from "@parley/core";
import { startHost } from "@parley/host";
import { createClient } from "../harness/http/client.ts";
import { retrievalCorpus } from "./retrieval-corpus.ts";

const PASSAGES = 100_000;
const PER_DOCUMENT = 10;
/** Documents per transaction. */
const AT_ONCE = 100;
const SEARCHES = 200;
const { passages, questions } = retrievalCorpus();
const root = mkdtempSync(join(tmpdir(), "parley-text-index-"));
const host = await startHost({
  root,
  flags: { port: 0 },
  env: { SVC_ADMIN_PASSWORD: "correct horse" },
});
const delay = monitorEventLoopDelay({ resolution: 1 });
try {
  const { main } = host.get(Databases);
  const space = host.get(TextIndex).space("knowledge");
  // Excludes the write-ahead log, whose length does not depend on the content.
  const readSize = () => statSync(join(root, "data", "parley.db")).size;
  const before = readSize();
  let bytes = 0;
  delay.enable();
  const document = (at: number) =>
    Array.from({ length: PER_DOCUMENT }, (_, place) => {
      const text = createText(at + place);
      bytes += Buffer.byteLength(text);
      return { id: `chunk_${at + place}`, place, title: `Note ${at}`, text, time: at, labels: ["base:default"] };
    });
  for (let at = 0; at < PASSAGES; at += PER_DOCUMENT * AT_ONCE) {
    const starts = Array.from({ length: AT_ONCE }, (_, one) => at + one * PER_DOCUMENT);
    const writes = await Promise.all(starts.map((start) => space.replacing(`doc_${start}`, document(start))));
    await main.write(writes.flat());
  }
  report("loop while adding", delay.max / 1e6, 20, "ms at most");
  const ratio = (readSize() - before) / bytes;
  report("index and its texts", ratio, 3, "x the text on disk");
  await space.search({ text: "warm up", limit: 5 });
  delay.reset();
  for (const mode of ["hybrid", "text"] as const) {
    const times: number[] = [];
    for (let at = 0; at < SEARCHES; at += 1) {
      const text = `${questions[(at * 13) % questions.length]?.text}`;
      const since = performance.now();
      await space.search({ text, limit: 5, mode, perGroup: 3 });
      times.push(performance.now() - since);
    }
    times.sort((a, b) => a - b);
    report(`search ${mode} p50`, times[SEARCHES / 2] ?? 0, 30, "ms");
    report(`search ${mode} p95`, times[Math.floor(SEARCHES * 0.95)] ?? 0, 30, "ms");
  }
  report("loop while searching", delay.max / 1e6, 20, "ms at most");
  const open = createClient(host.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: "correct horse" });
  const api = open.as(token);
  const since = performance.now();
  for (let at = 0; at < 1_000; at += 500) {
    const documents = Array.from({ length: 500 }, (_, one) => ({
      title: `Short ${at + one}`,
      content: createText(at + one),
    }));
    await api.post("/api/knowledge/batch", { documents });
  }
  report("1,000 short documents", performance.now() - since, 2_000, "ms");
} finally {
  await host[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
}

/** Returns three sentences of the corpus, chosen so that no two passages are alike. */
function createText(number: number): string {
  return [1, 7, 31]
    .map((step) => passages[(number * step + Math.floor(number / 600)) % passages.length]?.text)
    .join(" ");
}

function report(what: string, measured: number, budget: number, unit: string): void {
  console.log(`${what}: ${measured.toFixed(2)} ${unit} (budget ${budget})`);
}
