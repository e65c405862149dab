// Scans texts in a worker thread, to keep the event loop free.
import { parentPort } from "node:worker_threads";
import type { TextEntry, TextHit } from "@parley/core";
import { type Passage, passagesOf, termsOf } from "@parley/core/text";
import type { IndexedRows, PassageRow, TermsRow } from "./dialect.ts";
import { toLabelTerm } from "./labels.ts";
import { type RankRequest, rank } from "./rank.ts";
import { createCodeIndex } from "./vector-codes.ts";

export type IndexTask =
  | { readonly kind: "analyse"; readonly group: string; readonly entries: readonly Omit<TextEntry, "group">[] }
  | { readonly kind: "rank"; readonly request: RankRequest }
  | { readonly kind: "cut"; readonly text: string }
  /** Sets the vector codes of a space. */
  | {
      readonly kind: "codes";
      readonly space: string;
      readonly ids: readonly string[];
      readonly codes: readonly Uint8Array[];
    }
  | {
      readonly kind: "nearest";
      readonly space: string;
      readonly code: Uint8Array;
      readonly limit: number;
      readonly among: readonly string[] | undefined;
    };

export interface IndexResults {
  readonly analyse: readonly IndexedRows[];
  readonly rank: readonly TextHit[];
  readonly cut: readonly Passage[];
  readonly codes: null;
  readonly nearest: readonly string[];
}

export type IndexReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: string };

/** Maximum characters in one statement. */
const MAX_BATCH_CHARS = 200_000;
const codes = createCodeIndex();

parentPort?.on("message", ({ id, task }: { readonly id: number; readonly task: IndexTask }) => {
  try {
    parentPort?.postMessage({ id, value: runTask(task) } satisfies IndexReply);
  } catch (error) {
    parentPort?.postMessage({ id, failure: (error as Error).message } satisfies IndexReply);
  }
});

function runTask(task: IndexTask): IndexResults[keyof IndexResults] {
  if (task.kind === "analyse") return analyzeEntries(task.group, task.entries);
  if (task.kind === "rank") return rank(task.request);
  if (task.kind === "cut") return passagesOf(task.text);
  if (task.kind === "nearest") return codes.findNearest(task.space, task.code, task.limit, task.among);
  codes.add(task.space, task.ids, task.codes);
  return null;
}

function analyzeEntries(group: string, entries: readonly Omit<TextEntry, "group">[]): readonly IndexedRows[] {
  const batches: IndexedRows[] = [];
  let passages: string[] = [];
  let terms: string[] = [];
  let length = 0;
  const end = () => {
    if (passages.length > 0) batches.push({ passages: `[${passages.join(",")}]`, terms: `[${terms.join(",")}]` });
    passages = [];
    terms = [];
    length = 0;
  };
  for (const entry of entries) {
    const [passage, found] = [JSON.stringify(toPassageRow(entry)), JSON.stringify(toTermsRow(group, entry))];
    passages.push(passage);
    terms.push(found);
    length += passage.length + found.length;
    if (length >= MAX_BATCH_CHARS) end();
  }
  end();
  return batches;
}

function toPassageRow({ id, place, title, text, time }: Omit<TextEntry, "group">): PassageRow {
  return { id, place, title, body: text, at: time };
}

function toTermsRow(group: string, { id, title, text, labels = [] }: Omit<TextEntry, "group">): TermsRow {
  return {
    id,
    title_terms: toTermText(title),
    body_terms: toTermText(text),
    label_terms: [`group:${group}`, ...labels].map(toLabelTerm).join(" "),
  };
}

function toTermText(text: string): string {
  let terms = "";
  for (const { term } of termsOf(text)) terms += `${term} `;
  return terms;
}
