import { AppError, type Clock, dayOf, estimateTokens, type Memory, type ModelCalls } from "@parley/core";
import type { MemoryIndex } from "./memory-index.ts";
import { type Audience, isHeard, type MemoryStore } from "./memory-store.ts";

/** The most of one answer. */
export const MOST = 6;
const SEARCHED = 30;
const FOREMOST = 20;
const RERANK_MS = 2_000;
const DAY_MS = 86_400_000;
/** After so many days half of a memory of importance 1 has faded; what matters more, or is recalled often, fades slower. */
const HALF_LIFE_DAYS = 14;
const WEIGHTS = { text: 0.6, importance: 0.2, recency: 0.12, priority: 0.08 };
const PRIORITIES = { high: 1, normal: 0.5, low: 0 };
/** What fits the text so well, or counts so much, is recalled. */
const FITS = 0.25;
const COUNTS = 0.75;

/** A memory with why it was recalled. */
export interface Recalled {
  readonly memory: Memory;
  readonly score: number;
  /** What it took the place of, the last first. */
  readonly earlier: readonly Memory[];
}

export interface RecallParts {
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly clock: Clock;
  readonly calls: () => ModelCalls | undefined;
}

export interface RecallQuestion {
  readonly text: string;
  readonly audience: Audience;
  readonly maxTokens: number;
  readonly timeZone: string;
  /** Found in this message, which the model reads anyway. */
  readonly exceptMessage?: string;
  readonly signal: AbortSignal;
}

/** Those that fit what was said, and those that count whatever is said: by text, person, importance, recency. */
export async function recall(parts: RecallParts, question: RecallQuestion): Promise<readonly Recalled[]> {
  const { store, index, clock } = parts;
  const { text, audience, maxTokens, timeZone, exceptMessage, signal } = question;
  if (!(await store.hasAny())) return [];
  const [hits, foremost] = await Promise.all([
    text.trim() === "" ? new Map<string, number>() : index.search(text, audience, SEARCHED, signal),
    store.foremost(audience, FOREMOST),
  ]);
  const known = new Set(foremost.map(({ id }) => id));
  const found = await store.among([...hits.keys()].filter((id) => !known.has(id)));
  const now = clock.now();
  const likely = [...foremost, ...found]
    // The index narrows; what counts is what is stored.
    .filter(
      (memory) => isHeard(memory, audience) && (exceptMessage === undefined || memory.message_id !== exceptMessage),
    )
    .map((memory) => ({ memory, fit: hits.get(memory.id) ?? 0, worth: worthOf(memory, now) }))
    .filter(({ fit, worth }) => fit >= FITS || worth >= COUNTS);
  const scored = (await read(parts, question, likely))
    .map(({ memory, fit, worth }) => ({ memory, score: WEIGHTS.text * fit + (1 - WEIGHTS.text) * worth }))
    .toSorted((a, b) => b.score - a.score || (a.memory.said_at < b.memory.said_at ? 1 : -1));
  const history = await store.history(scored.slice(0, MOST).map(({ memory }) => memory.id));
  const chosen: Recalled[] = [];
  let left = maxTokens;
  for (const { memory, score } of scored) {
    const earlier = predecessors(memory.id, history);
    const cost = estimateTokens(lineOf({ memory, score, earlier }, timeZone));
    if (cost > left) continue;
    left -= cost;
    chosen.push({ memory, score, earlier });
    if (chosen.length === MOST) break;
  }
  return chosen;
}

interface Likely {
  readonly memory: Memory;
  readonly fit: number;
  readonly worth: number;
}

/** How well they fit, as the model of purpose `rerank` has it; as they were where none is set up, or it does not answer. */
async function read(
  { calls }: RecallParts,
  { text, signal }: RecallQuestion,
  likely: readonly Likely[],
): Promise<readonly Likely[]> {
  if (text.trim() === "" || likely.length < 2) return likely;
  try {
    const texts = likely.map(({ memory }) => memory.content);
    const made = await calls()?.rerank(text, texts, { signal, patienceMs: RERANK_MS });
    return made ? likely.map((one, index) => ({ ...one, fit: made.scores[index] as number })) : likely;
  } catch (error) {
    if (signal.aborted || !AppError.is(error)) throw error;
    return likely;
  }
}

/** From 0 to 1: what a memory counts by itself, faded by time. */
export function worthOf(memory: Memory, now: number): number {
  const { importance, priority, recall_count, said_at, last_recalled_at } = memory;
  const since = Math.max(Date.parse(said_at), last_recalled_at === null ? 0 : Date.parse(last_recalled_at));
  const days = Math.max(0, (now - since) / DAY_MS);
  const halfLife = HALF_LIFE_DAYS * importance * (1 + Math.log2(1 + recall_count));
  const freshness = 0.5 ** (days / halfLife);
  const { importance: weight, recency, priority: ranked, text } = WEIGHTS;
  // What matters most fades to a half and no further: a name is known after years.
  const counted = (importance / 10) * (importance >= 8 ? 0.5 + 0.5 * freshness : freshness);
  return (weight * counted + recency * freshness + ranked * PRIORITIES[priority]) / (1 - text);
}

function predecessors(id: string, history: readonly Memory[]): readonly Memory[] {
  const direct = history.filter(({ replaced_by }) => replaced_by === id);
  const all = [...direct, ...direct.flatMap((one) => predecessors(one.id, history))];
  return all.toSorted((a, b) => (a.said_at < b.said_at ? 1 : -1)).slice(0, 2);
}

/** One memory as the model reads it: when it was said, what, and what was true before. */
export function lineOf({ memory, earlier }: Recalled, timeZone: string): string {
  const day = (at: string | null) => (at === null ? "" : dayOf(Date.parse(at), timeZone));
  const before = earlier.map(({ content, replaced_at }) => `until ${day(replaced_at)}: ${flat(content)}`);
  const more = before.length === 0 ? "" : ` (earlier, ${before.join("; ")})`;
  return `- [${day(memory.said_at)}] ${flat(memory.content)}${more}`;
}

// A memory is one line: what is in it cannot look like another one.
function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
