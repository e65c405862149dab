// Measures how many of the passages that answer a question are among the first hits, compared to plain BM25 over the same texts.
// node --conditions=@parley/source tests/bench/retrieval.ts [tuned] [encoder]
// With "tuned" only the data that the index was tuned on is shown, so that the held-out data stays unseen while tuning.
// With "encoder" the index is also measured with the vectors of plugin sentence-encoder.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, Databases, TextIndex, type TextSpace, type Write } from "@parley/core";
import { startHost } from "@parley/host";
import { createEncoder } from "../../plugins/sentence-encoder/src/encoder.ts";
import { createConversations } from "./conversations.ts";
import { createCrossLanguageCorpus } from "./cross-language.ts";
import { HELD_OUT } from "./held-out-conversations.ts";
import { retrievalCorpus } from "./retrieval-corpus.ts";
import { TUNED } from "./tuned-conversations.ts";

const FIRST = [5, 10] as const;
const MOST = 10;
const BUDGET = 1.15;
const BATCH = 32;
const encoder = createEncoder({ error: console.error });

interface Text {
  readonly id: string;
  readonly group: string;
  readonly place: number;
  readonly text: string;
  readonly time: number;
  /** The part of the corpus to search. */
  readonly part: string;
}
interface Question {
  readonly text: string;
  readonly kind: string;
  readonly part: string;
  readonly gold: readonly string[];
}
interface Corpus {
  readonly name: string;
  readonly texts: readonly Text[];
  readonly questions: readonly Question[];
}
type Search = (question: Question) => Promise<readonly string[]> | readonly string[];

const corpora: readonly Corpus[] = [
  loadNotes(),
  createCrossLanguageCorpus(),
  loadConversations("tuned_talks", TUNED),
  loadConversations("tuned_talks_apart", TUNED, true),
  ...(process.argv.includes("tuned")
    ? []
    : [loadConversations("held_out_talks", HELD_OUT), loadConversations("held_out_talks_apart", HELD_OUT, true)]),
];
const root = mkdtempSync(join(tmpdir(), "parley-retrieval-"));
const host = await startHost({ root, flags: { port: 0 }, env: { SVC_ADMIN_PASSWORD: "correct horse" } });
try {
  for (const corpus of corpora) await measureRecall(corpus);
} finally {
  await encoder[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
}

async function measureRecall({ name, texts, questions }: Corpus): Promise<void> {
  const { main } = host.get(Databases);
  const space = host.get(TextIndex).space(name);
  const writes: Write[] = [];
  for (const [group, entries = []] of Object.entries(Object.groupBy(texts, (one) => one.group))) {
    const all = entries.map(({ id, place, text, time, part }) => ({
      id,
      place,
      title: "",
      text,
      time,
      labels: [`part:${part}`],
    }));
    writes.push(...(await space.replacing(group, all)));
  }
  await main.write(writes);
  const encoded = process.argv.includes("encoder") ? await storeVectors(space, main, texts) : {};
  const baselines = {
    "plain BM25": createBm25Search(texts, splitWords),
    "plain BM25, character pairs": createBm25Search(texts, splitPairs),
  };
  const searches: Readonly<Record<string, Search>> = {
    ...baselines,
    "the index": async ({ text, part }) =>
      (await space.search({ text, limit: MOST, labels: [[`part:${part}`]] })).map(({ id }) => id),
    ...encoded,
  };
  console.log(`\n${name}: ${texts.length} passages, ${questions.length} questions`);
  const recalls: Record<string, readonly number[]> = {};
  for (const [search, find] of Object.entries(searches)) {
    const kinds = new Map<string, number[][]>();
    for (const question of questions) {
      const ids = await find(question);
      if (process.argv.includes("missed") && search === "the index" && !question.gold.every((id) => ids.includes(id)))
        console.log(
          `  missed: ${question.text} → ${question.gold.map((id) => texts.find((one) => one.id === id)?.text).join(" | ")}`,
        );
      const recall = FIRST.map((first) => {
        const found = question.gold.filter((id) => ids.slice(0, first).includes(id)).length;
        return found / Math.min(first, question.gold.length);
      });
      const language = /\p{Script=Han}/u.test(question.text) ? "zh" : "en";
      for (const group of ["all", question.kind, language]) kinds.set(group, [...(kinds.get(group) ?? []), recall]);
    }
    const means = [...kinds]
      .sort()
      .map(([kind, all]) => [kind, FIRST.map((_, at) => computeMean(all.map((one) => one[at] ?? 0)))] as const);
    console.log(
      `${search}: ${means.map(([kind, all]) => `${kind} ${all.map((one) => one.toFixed(3)).join("/")}`).join(", ")}`,
    );
    recalls[search] = means.find(([kind]) => kind === "all")?.[1] ?? [];
  }
  for (const base of Object.keys(baselines)) {
    const ratios = FIRST.map(
      (first, at) => `@${first} ${((recalls["the index"]?.[at] ?? 0) / (recalls[base]?.[at] ?? 1)).toFixed(3)}`,
    );
    console.log(`recall to ${base}: ${ratios.join(", ")} (budget ${BUDGET} of @10)`);
  }
}

/** Stores the sentence encoder's vector of each text; returns the search that uses them. */
async function storeVectors(
  space: TextSpace,
  database: Pick<Database, "write">,
  texts: readonly Text[],
): Promise<Readonly<Record<string, Search>>> {
  const encode = async (some: readonly string[]) => (await encoder.encode(some)).map((one) => Float32Array.from(one));
  const vectors = new Map<string, Float32Array>();
  for (let at = 0; at < texts.length; at += BATCH) {
    const batch = texts.slice(at, at + BATCH);
    for (const [index, vector] of (await encode(batch.map(({ text }) => text))).entries())
      vectors.set(batch[index]?.id ?? "", vector);
  }
  await database.write(space.keepingVectors("encoder", vectors));
  return {
    "the index, with the sentence encoder": async ({ text, part }) => {
      const [values = new Float32Array()] = await encode([text]);
      const asked = { text, limit: MOST, labels: [[`part:${part}`]], vector: { space: "encoder", values } };
      return (await space.search(asked)).map(({ id }) => id);
    },
  };
}

/** Returns a corpus of many people's independent notes. */
function loadNotes(): Corpus {
  const { passages, questions } = retrievalCorpus();
  return {
    name: "notes",
    texts: passages.map((one) => ({ ...one, group: one.id, place: 0, part: "all" })),
    questions: questions.map((one) => ({ ...one, part: "all" })),
  };
}

/**
 * The corpus of a conversation, one passage per utterance with its date, which the plain search has too. `isApart`
 * does not group the passages of a meeting.
 */
function loadConversations(name: string, from: typeof TUNED, isApart = false): Corpus {
  const { messages, asked } = createConversations(from);
  return {
    name,
    texts: messages.map(({ id, session, place, text, time, pair }) => ({
      id,
      group: isApart ? id : session,
      place,
      text,
      time,
      part: pair,
    })),
    questions: asked.map(({ pair, ...one }) => ({ ...one, part: pair })),
  };
}

/** Searches with textbook BM25: k1 1.2, words unstemmed. */
function createBm25Search(all: readonly Text[], termsOf: (text: string) => readonly string[]): Search {
  const parts = new Map(
    Object.entries(Object.groupBy(all, ({ part }) => part)).map(([part, some]) => [part, searchIn(some ?? [])]),
  );
  function searchIn(some: readonly Text[]) {
    const texts = some.map(({ id, text, time }) => {
      const counts = new Map<string, number>();
      const terms = termsOf(`${new Date(time).toDateString()} ${text}`);
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      return { id, counts, length: terms.length };
    });
    const average = computeMean(texts.map(({ length }) => length));
    const frequency = new Map<string, number>();
    for (const { counts } of texts)
      for (const term of counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
    return (question: string) => {
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
        .slice(0, MOST)
        .map(({ id }) => id);
    };
  }
  return ({ text, part }) => parts.get(part)?.(text) ?? [];
}

/** Returns runs of letters in lower case; in a script without spaces each character is a word. */
function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
}

function splitPairs(text: string): readonly string[] {
  const runs = text.toLowerCase().match(/\p{Script=Han}+|[a-zà-ž0-9]+/gu) ?? [];
  return runs.flatMap((run) =>
    /^\p{Script=Han}/u.test(run) ? [...run].slice(1).map((one, at) => `${[...run][at]}${one}`) : [run],
  );
}

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
