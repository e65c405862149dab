import { AppError, type Clock, dayOf, estimateTokens, type Memory, type ModelCalls } from "@parley/core";
import type { MemoryIndex } from "../store/memory-index.ts";
import { type Audience, isVisibleTo, type MemoryStore } from "../store/memory-store.ts";

/** Maximum number of memories recalled for one answer. */
export const MAX_RECALLED = 6;
const MAX_SEARCH_HITS = 30;
const MAX_IMPORTANT = 20;
const RERANK_TIMEOUT_MS = 2_000;
const DAY_MS = 86_400_000;
/** Half-life of a memory with importance 1, in days; important and often recalled ones fade more slowly. */
const HALF_LIFE_DAYS = 14;
const WEIGHTS = { text: 0.6, importance: 0.2, recency: 0.12, priority: 0.08 };
const PRIORITY_SCORES = { high: 1, normal: 0.5, low: 0 };
/** Minimum relevance for recall. */
const MIN_FIT = 0.25;
const MIN_WORTH = 0.75;

/** A recalled memory with its score from 0 to 1. */
export interface RecalledMemory {
  readonly memory: Memory;
  readonly score: number;
  /** The last two memories that it replaced, latest first. */
  readonly earlier: readonly Memory[];
}

export interface RecallDeps {
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly clock: Clock;
  readonly calls: () => ModelCalls | undefined;
}

export interface RecallQuery {
  readonly text: string;
  readonly audience: Audience;
  readonly maxTokens: number;
  readonly timeZone: string;
  /** Leaves out memories from this message, which the model reads anyway. */
  readonly exceptMessage?: string;
  readonly signal: AbortSignal;
}

/** Recalls relevant and important memories, ranked by text, importance, recency and priority. */
export async function recall(deps: RecallDeps, query: RecallQuery): Promise<readonly RecalledMemory[]> {
  const { store, index, clock } = deps;
  const { text, audience, maxTokens, timeZone, exceptMessage, signal } = query;
  if (!(await store.existence.check())) return [];
  const [hits, important] = await Promise.all([
    text.trim() === "" ? new Map<string, number>() : index.search(text, audience, MAX_SEARCH_HITS, signal),
    store.listMostImportant(audience, MAX_IMPORTANT),
  ]);
  const known = new Set(important.map(({ id }) => id));
  const found = await store.findMany([...hits.keys()].filter((id) => !known.has(id)));
  const now = clock.now();
  const candidates = [...important, ...found]
    // The index narrows the selection; the stored memory decides.
    .filter(
      (memory) => isVisibleTo(memory, audience) && (exceptMessage === undefined || memory.message_id !== exceptMessage),
    )
    .map((memory) => ({ memory, fit: hits.get(memory.id) ?? 0, worth: scoreWorth(memory, now) }))
    .filter(({ fit, worth }) => fit >= MIN_FIT || worth >= MIN_WORTH);
  const scored = (await rerank(deps, query, candidates))
    .map(({ memory, fit, worth }) => ({ memory, score: WEIGHTS.text * fit + (1 - WEIGHTS.text) * worth }))
    .toSorted((a, b) => b.score - a.score || (a.memory.said_at < b.memory.said_at ? 1 : -1));
  const history = await store.listReplaced(scored.slice(0, MAX_RECALLED).map(({ memory }) => memory.id));
  const chosen: RecalledMemory[] = [];
  let remainingTokens = maxTokens;
  for (const { memory, score } of scored) {
    const earlier = findPredecessors(memory.id, history);
    const cost = estimateTokens(toPromptLine({ memory, score, earlier }, timeZone));
    if (cost > remainingTokens) continue;
    remainingTokens -= cost;
    chosen.push({ memory, score, earlier });
    if (chosen.length === MAX_RECALLED) break;
  }
  return chosen;
}

interface RecallCandidate {
  readonly memory: Memory;
  readonly fit: number;
  readonly worth: number;
}

/** Updates the relevance with the rerank model; leaves it unchanged when there is no such model or it fails. */
async function rerank(
  { calls }: RecallDeps,
  { text, signal }: RecallQuery,
  candidates: readonly RecallCandidate[],
): Promise<readonly RecallCandidate[]> {
  if (text.trim() === "" || candidates.length < 2) return candidates;
  try {
    const texts = candidates.map(({ memory }) => memory.content);
    const reranked = await calls()?.rerank(text, texts, { signal, patienceMs: RERANK_TIMEOUT_MS });
    return reranked ? candidates.map((one, index) => ({ ...one, fit: reranked.scores[index] as number })) : candidates;
  } catch (error) {
    if (signal.aborted || !AppError.is(error)) throw error;
    return candidates;
  }
}

/** Returns the worth of a memory from 0 to 1, regardless of the text; it decreases with age. */
export function scoreWorth(memory: Memory, now: number): number {
  const { importance, priority, recall_count, said_at, last_recalled_at } = memory;
  const since = Math.max(Date.parse(said_at), last_recalled_at === null ? 0 : Date.parse(last_recalled_at));
  const days = Math.max(0, (now - since) / DAY_MS);
  const halfLife = HALF_LIFE_DAYS * importance * (1 + Math.log2(1 + recall_count));
  const freshness = 0.5 ** (days / halfLife);
  const { importance: weight, recency, priority: ranked, text } = WEIGHTS;
  // The share of importance of the most important memories never falls below half, so that a name is known after years.
  const importanceScore = (importance / 10) * (importance >= 8 ? 0.5 + 0.5 * freshness : freshness);
  return (weight * importanceScore + recency * freshness + ranked * PRIORITY_SCORES[priority]) / (1 - text);
}

function findPredecessors(id: string, history: readonly Memory[]): readonly Memory[] {
  const direct = history.filter(({ replaced_by }) => replaced_by === id);
  const all = [...direct, ...direct.flatMap((one) => findPredecessors(one.id, history))];
  return all.toSorted((a, b) => (a.said_at < b.said_at ? 1 : -1)).slice(0, 2);
}

/** Formats a memory for the model: its date, content and earlier values. */
export function toPromptLine({ memory, earlier }: RecalledMemory, timeZone: string): string {
  const day = (at: string | null) => (at === null ? "" : dayOf(Date.parse(at), timeZone));
  const earlierTexts = earlier.map(({ content, replaced_at }) => `until ${day(replaced_at)}: ${toSingleLine(content)}`);
  const more = earlierTexts.length === 0 ? "" : ` (earlier, ${earlierTexts.join("; ")})`;
  return `- [${day(memory.said_at)}] ${toSingleLine(memory.content)}${more}`;
}

// Returns a text as one line, so that a memory cannot look like several.
function toSingleLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
