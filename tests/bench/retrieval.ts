// How many of the passages that answer a question are among the first ten, beside a plain BM25 over the same texts.
// node --conditions=@parley/source tests/bench/retrieval.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Databases, TextIndex } from "@parley/core";
import { startHost } from "@parley/host";
import { type BenchPassage, type BenchQuestion, retrievalCorpus } from "./retrieval-corpus.ts";

const FIRST = 10;
const BUDGET = 1.15;
const { passages, questions } = retrievalCorpus();
const root = mkdtempSync(join(tmpdir(), "parley-retrieval-"));
const host = await startHost({ root, flags: { port: 0 }, env: { SVC_ADMIN_PASSWORD: "correct horse" } });
try {
  const { main } = host.get(Databases);
  const space = host.get(TextIndex).space("bench");
  for (const { id, text, time } of passages) {
    await main.write(await space.replacing(id, [{ id, place: 0, title: "", text, time, labels: [] }]));
  }
  const baselines = { "plain BM25": plainBm25(wordsOf), "plain BM25, character pairs": plainBm25(pairsOf) };
  const found: Record<string, (question: string) => Promise<readonly string[]> | readonly string[]> = {
    ...baselines,
    "the index": async (text) => (await space.search({ text, limit: FIRST })).map(({ id }) => id),
  };
  console.log(`${passages.length} passages, ${questions.length} questions, recall@${FIRST}`);
  const recalls: Record<string, number> = {};
  for (const [name, search] of Object.entries(found)) {
    const kinds = new Map<string, number[]>();
    for (const { text, kind, gold } of questions) {
      const ids = await search(text);
      const recall = gold.filter((id) => ids.includes(id)).length / Math.min(FIRST, gold.length);
      const language = /\p{Script=Han}/u.test(text) ? "zh" : "en";
      for (const group of ["all", kind, language]) kinds.set(group, [...(kinds.get(group) ?? []), recall]);
    }
    const shown = [...kinds].sort().map(([kind, all]) => `${kind} ${mean(all).toFixed(3)}`);
    console.log(`${name}: ${shown.join(", ")}`);
    recalls[name] = mean(kinds.get("all") ?? []);
  }
  for (const name of Object.keys(baselines)) {
    console.log(
      `ratio to ${name}: ${((recalls["the index"] ?? 0) / (recalls[name] ?? 1)).toFixed(3)} (budget ${BUDGET})`,
    );
  }
} finally {
  await host[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
}

/** The textbook's: k1 1.2, b 0.75, words as they stand. */
function plainBm25(termsOf: (text: string) => readonly string[]): (question: string) => readonly string[] {
  const texts = passages.map((passage: BenchPassage) => {
    const counts = new Map<string, number>();
    const terms = termsOf(passage.text);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    return { id: passage.id, counts, length: terms.length };
  });
  const average = mean(texts.map(({ length }) => length));
  const frequency = new Map<string, number>();
  for (const { counts } of texts) for (const term of counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return (question: BenchQuestion["text"]) => {
    const asked = new Set(termsOf(question));
    const scored = texts.map(({ id, counts, length }) => {
      let score = 0;
      for (const term of asked) {
        const count = counts.get(term) ?? 0;
        const df = frequency.get(term) ?? 0;
        const idf = Math.log(1 + (texts.length - df + 0.5) / (df + 0.5));
        score += (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
      }
      return { id, score };
    });
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, FIRST)
      .map(({ id }) => id);
  };
}

/** Runs of letters in small letters; a character of a script without spaces is a word. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
}

function pairsOf(text: string): readonly string[] {
  const runs = text.toLowerCase().match(/\p{Script=Han}+|[a-zà-ž0-9]+/gu) ?? [];
  return runs.flatMap((run) =>
    /^\p{Script=Han}/u.test(run) ? [...run].slice(1).map((one, at) => `${[...run][at]}${one}`) : [run],
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
