import { estimateTokens } from "@parley/core";
import type { ActivationResult, SkipReason } from "../activation/activation.ts";
import type { Lore, LoreBook } from "../activation/lore.ts";
import type { ChatMessage } from "../activation/scan-texts.ts";
import { type Candidate, findGroupLosers } from "./inclusion-groups.ts";
import { findBar, getTimedEffects, matchEntry } from "./info-rules.ts";
import { type InfoOptions, type InfoSearch, searchContents, searchMessages } from "./info-search.ts";

/** Share of the model's context that World Info may fill. */
const CONTEXT_SHARE = 0.25;
/** Number of scans after which entries that activate each other come to an end. */
const MAX_ROUNDS = 100;

/** One activation of all books with the rules of World Info. */
interface InfoRun {
  readonly search: InfoSearch;
  /** Entries that are decided, by their index. */
  readonly decided: Map<number, ActivationResult>;
  /** Entries that matched but are not activated so far; another scan may change that. */
  readonly left: Map<number, ActivationResult>;
  readonly budget: TokenBudget;
}

/** The scan that runs: the first one, or one that contents of activated entries caused, up to a level. */
interface Scan {
  readonly isRecursion: boolean;
  readonly level: number;
}

/**
 * Activates the entries of the books with the rules of World Info. Scans again while contents of activated entries
 * mention others. Returns the activated entries in their order in the prompt, then those that matched but were skipped.
 */
export async function activateInfo(
  options: InfoOptions,
  messages: readonly ChatMessage[],
  bookDepths: Iterable<number | undefined>,
): Promise<readonly ActivationResult[]> {
  const search = await searchMessages(options, messages, bookDepths);
  const run: InfoRun = {
    search,
    decided: new Map(),
    left: new Map(),
    budget: createTokenBudget(options.contextTokens),
  };
  const levels = listLevels(options);
  let scan: Scan = { isRecursion: false, level: levels.shift() ?? 0 };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const contents = admit(run, scan)
      .filter(({ lore, book }) => book.isRecursive && !lore.preventRecursion)
      .map(({ text = "" }) => text);
    const next = contents.length > 0 ? scan.level : levels.shift();
    if (next === undefined) break;
    scan = { isRecursion: true, level: next };
    if (contents.length > 0) await searchContents(search, contents);
  }
  const results = [...run.decided.values()];
  const skipped = [...run.left].flatMap(([at, one]) => (run.decided.has(at) ? [] : [one]));
  return [...results.filter(isActivated).sort(compareOrder), ...results.filter((one) => !isActivated(one)), ...skipped];
}

const isActivated = ({ text }: ActivationResult) => text !== undefined;

/** Lower orders come first, further away from the end of the prompt. */
function compareOrder({ lore: a }: ActivationResult, { lore: b }: ActivationResult): number {
  return a.order - b.order || (a.id < b.id ? -1 : 1);
}

/** Returns the levels of recursion that entries wait for, lowest first. */
function listLevels({ index, getBook }: InfoOptions): number[] {
  const levels = new Set<number>();
  for (const at of index.delayed) {
    const lore = index.lore[at] as Lore;
    if (getBook(lore)) levels.add(lore.info.recursionLevel);
  }
  return [...levels].sort((a, b) => a - b);
}

/** Activates what this scan finds, within groups, probability and budget; returns the newly activated entries. */
function admit(run: InfoRun, scan: Scan): readonly ActivationResult[] {
  const { search, decided, left } = run;
  const { options } = search;
  const found = listCandidates(run, scan).sort(comparePrecedence);
  const active = [...decided.values()].filter(isActivated).map(({ lore }) => lore);
  const losers = findGroupLosers(found, active, (group) => options.getChance?.(`group ${group}`) ?? 0);
  const added: ActivationResult[] = [];
  for (const one of found) {
    const reason = losers.has(one) ? "group" : getUnluckyReason(options, one);
    const result = reason ? { ...toResult(one), reason } : admitOne(run, one);
    if (reason === "group") left.set(one.at, result);
    else decided.set(one.at, result);
    if (isActivated(result)) added.push(result);
  }
  return added;
}

function getUnluckyReason({ getChance }: InfoOptions, { lore, isSticky }: Candidate): SkipReason | undefined {
  if (lore.probability === undefined || isSticky) return undefined;
  return lore.probability > (getChance?.(lore.id) ?? 0) ? undefined : "probability";
}

function admitOne({ search, budget }: InfoRun, one: Candidate): ActivationResult {
  const { content } = one.lore.info;
  const text = search.options.expand?.(content) ?? content;
  return budget.take(one, text) ? { ...toResult(one), text } : { ...toResult(one), reason: "budget" };
}

function toResult({ at: _at, ...match }: Candidate): ActivationResult {
  return { ...match, class: match.lore.alwaysOn ? "always_on" : "keyword", score: match.lore.order };
}

/** Entries that stay active come first, then constant ones, then by priority and the higher order. */
function comparePrecedence(a: Candidate, b: Candidate): number {
  const isDroppedFirst = ({ lore }: Candidate) => Number(lore.info.decorators.ignore_on_max_context === true);
  return (
    isDroppedFirst(a) - isDroppedFirst(b) ||
    Number(b.isSticky) - Number(a.isSticky) ||
    Number(b.lore.alwaysOn) - Number(a.lore.alwaysOn) ||
    b.lore.priority - a.lore.priority ||
    b.lore.order - a.lore.order ||
    (a.lore.id < b.lore.id ? -1 : 1)
  );
}

function listCandidates(run: InfoRun, scan: Scan): Candidate[] {
  const { search, decided } = run;
  const { index } = search.options;
  const places = new Set([...search.marks.keys(), ...index.alwaysOn, ...index.special]);
  const found: Candidate[] = [];
  for (const at of places) {
    const lore = index.lore[at] as Lore;
    const book = decided.has(at) ? undefined : search.options.getBook(lore);
    const one = book && toCandidate(run, scan, { at, lore, book });
    if (one) found.push(one);
  }
  return found;
}

interface Entry {
  readonly at: number;
  readonly lore: Lore;
  readonly book: LoreBook;
}

/** Returns the entry if this scan may activate it; records the reason why a matched one may not. */
function toCandidate({ search, decided, left }: InfoRun, scan: Scan, entry: Entry): Candidate | undefined {
  const { at, lore, book } = entry;
  const timed = getTimedEffects(search, lore);
  const { isSticky } = timed;
  const match = matchEntry(search, at, { lore, book, isSticky });
  if (!match) return undefined;
  const candidate = { ...match, at, isSticky };
  const bar = findBar(search, lore, timed);
  if (bar) decided.set(at, { ...toResult(candidate), reason: bar });
  else if (match.missed) left.set(at, { ...toResult(candidate), reason: match.missed });
  else if (!isSticky && !isInScan(scan, lore)) left.set(at, { ...toResult(candidate), reason: "recursion" });
  else return candidate;
  return undefined;
}

function isInScan({ isRecursion, level }: Scan, { excludeRecursion, info: { recursionLevel } }: Lore): boolean {
  if (!isRecursion) return recursionLevel === 0;
  return !excludeRecursion && recursionLevel <= level;
}

interface TokenBudget {
  /** Returns true when the text fits; after the first that does not, only entries that ignore the budget do. */
  take(one: Candidate, text: string): boolean;
}

function createTokenBudget(contextTokens: number): TokenBudget {
  const total = { left: Math.round(contextTokens * CONTEXT_SHARE) };
  const byBook = new Map<LoreBook, { left: number }>();
  return {
    take({ lore, book }, text) {
      const own = byBook.get(book) ?? { left: book.tokenBudget ?? Number.POSITIVE_INFINITY };
      byBook.set(book, own);
      const size = estimateTokens(text);
      const exceeded = [total, own].filter(({ left }) => size > left);
      if (exceeded.length === 0 || lore.info.ignoresBudget) {
        for (const budget of [total, own]) budget.left -= size;
        return true;
      }
      for (const budget of exceeded) budget.left = 0;
      return false;
    },
  };
}
