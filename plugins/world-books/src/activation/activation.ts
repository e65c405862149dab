import type { InjectionState } from "../books/injection-counters.ts";
import { findInContents, findLore, type LoreMatch, type LoreSearch, type MatchPlace } from "./find-lore.ts";
import { type Lore, type LoreBook, truncate } from "./lore.ts";
import type { ScanTexts } from "./scan-texts.ts";

const SCORE_BY_PLACE: Readonly<Record<MatchPlace, number>> = {
  user: 50,
  assistant_recent: 30,
  history: 20,
  scene_state: 45,
  recursion: 20,
  character: 20,
};
const ALWAYS_ON_SCORE = 100;
const MAX_ACTIVATED = 8;
const MAX_TOTAL_CHARS = 3_000;
const CLASS_BUDGETS = { always_on: 800, scene: 1_000, keyword: 1_200 } as const;
type BudgetClass = keyof typeof CLASS_BUDGETS;
/** Limits of entries that only the last reply activated. */
const ECHO_LIMITS = { most: 3, leastPriority: 20 } as const;
const MAX_RECURSION_ROUNDS = 3;

/** Reasons why an entry that matched is not activated. */
export const SKIP_REASONS = [
  "match_mode",
  "secondary_keywords",
  "cooldown",
  "max_injections",
  "probability",
  "only_assistant",
  "group",
  "limit",
  "budget",
  "delay",
  "recursion",
  "character",
  "trigger",
  "decorator",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** An entry that matched, and whether it is activated. */
export interface ActivationResult extends LoreMatch {
  readonly class: BudgetClass;
  readonly score: number;
  /** Text that is inserted; absent when the entry is not activated because of `reason`. */
  readonly text?: string;
  readonly reason?: SkipReason;
  /** True when an earlier activation keeps it active. */
  readonly isSticky?: boolean;
}

export interface ActivationOptions extends LoreSearch {
  /** Injection counts of the conversation; undefined when none are recorded. */
  readonly injectionState?: InjectionState | undefined;
  /** Returns a number from 0 to 100 for an entry, which is inserted if its probability is higher; undefined counts as 0. */
  readonly getChance?: ((entryId: string) => number) | undefined;
}

/** Returns the activated entries in order of activation, and the entries that matched but were skipped. */
export async function activateLore(options: ActivationOptions, texts: ScanTexts): Promise<readonly ActivationResult[]> {
  const budget = createBudget();
  const known = new Set<string>();
  const activated: ActivationResult[] = [];
  let found = await findLore(options, texts);
  for (let round = 0; found.length > 0; round += 1) {
    const decided = selectEntries(options, found, budget);
    activated.push(...decided);
    if (round === MAX_RECURSION_ROUNDS) break;
    for (const { lore } of decided) known.add(lore.id);
    const contents = decided
      .filter(({ text, lore, book }) => text !== undefined && book.isRecursive && !lore.preventRecursion)
      .map(({ text }) => text);
    found = contents.length === 0 ? [] : findInContents(options, contents.join("\n"), known);
  }
  return activated;
}

function selectEntries(
  options: ActivationOptions,
  found: readonly LoreMatch[],
  budget: Budget,
): readonly ActivationResult[] {
  const candidates = found.map(toScored);
  candidates.sort(compareResults);
  const rejected = new Map<ActivationResult, SkipReason>();
  for (const one of candidates) {
    const reason = getSkipReason(options, one);
    if (reason) rejected.set(one, reason);
  }
  const winners = findGroupWinners(
    candidates.filter((one) => !rejected.has(one)),
    budget,
  );
  return candidates.map((one): ActivationResult => {
    const reason = rejected.get(one) ?? getGroupLoss(one, winners);
    const taken = reason ?? budget.take(one);
    return typeof taken === "string" ? { ...one, reason: taken } : { ...one, ...taken };
  });
}

function toScored(found: LoreMatch): ActivationResult {
  const { lore, sources } = found;
  const bases = sources.reduce((sum, place) => sum + SCORE_BY_PLACE[place], lore.alwaysOn ? ALWAYS_ON_SCORE : 0);
  const isText = sources.some((place) => place !== "scene_state");
  const className = lore.alwaysOn ? "always_on" : isText ? "keyword" : "scene";
  return { ...found, class: className, score: bases + lore.priority + lore.weight };
}

function compareResults(a: ActivationResult, b: ActivationResult): number {
  return (
    b.score - a.score ||
    b.lore.priority - a.lore.priority ||
    a.lore.rank - b.lore.rank ||
    a.lore.length - b.lore.length ||
    a.lore.order - b.lore.order ||
    (a.lore.id < b.lore.id ? -1 : 1)
  );
}

const isFromReply = ({ lore, sources }: LoreMatch) =>
  !lore.alwaysOn && sources.length === 1 && sources[0] === "assistant_recent";

function getSkipReason(
  { injectionState, getChance }: ActivationOptions,
  { lore, sources, missed, ...one }: ActivationResult,
) {
  if (missed) return missed;
  if (!lore.alwaysOn && sources.length === 0) return "match_mode";
  if (isFromReply({ lore, sources, ...one }) && (lore.priority < ECHO_LIMITS.leastPriority || lore.type === "secret")) {
    return "only_assistant";
  }
  const before = injectionState?.entries.get(lore.id);
  if (injectionState && before) {
    if (lore.maxInjections > 0 && before.count >= lore.maxInjections) return "max_injections";
    if (lore.cooldown > 0 && injectionState.turn - before.turn <= lore.cooldown) return "cooldown";
  }
  if (lore.probability === undefined) return undefined;
  const chance = getChance?.(lore.id) ?? 0;
  return lore.probability > chance ? undefined : "probability";
}

/** Returns the winner of each inclusion group: the highest weight, or the first of equals. Earlier winners stay. */
function findGroupWinners(candidates: readonly ActivationResult[], { groups }: Budget): ReadonlyMap<string, Lore> {
  const winners = new Map(groups);
  for (const { lore } of candidates) {
    for (const name of lore.groups) {
      const best = winners.get(name);
      if (!best || (!groups.has(name) && lore.groupWeight > best.groupWeight)) winners.set(name, lore);
    }
  }
  for (const [name, lore] of winners) groups.set(name, lore);
  return winners;
}

function getGroupLoss({ lore }: ActivationResult, winners: ReadonlyMap<string, Lore>): SkipReason | undefined {
  return lore.groups.some((name) => winners.get(name) !== lore) ? "group" : undefined;
}

interface Budget {
  /** Winners of the inclusion groups. */
  readonly groups: Map<string, Lore>;
  take(one: ActivationResult): SkipReason | { readonly text: string };
}

/** Creates the budget of a turn, which all rounds share. */
function createBudget(): Budget {
  const used = new Map<BudgetClass | LoreBook, number>();
  let [entries, characters, echoes] = [0, 0, 0];
  return {
    groups: new Map(),
    take(one) {
      const { lore, book } = one;
      if (entries >= MAX_ACTIVATED) return "limit";
      if (isFromReply(one) && echoes >= ECHO_LIMITS.most) return "limit";
      const [budgetKey, most] = book.budget === undefined ? [one.class, CLASS_BUDGETS[one.class]] : [book, book.budget];
      const spent = used.get(budgetKey) ?? 0;
      // The first entry of a class may be truncated; otherwise a long entry would never be inserted.
      const isFirst = spent === 0 && most > 0;
      const size = isFirst ? Math.min(lore.size, most) : lore.size;
      if (spent + size > most || characters + size > MAX_TOTAL_CHARS) return "budget";
      used.set(budgetKey, spent + size);
      entries += 1;
      characters += size;
      if (isFromReply(one)) echoes += 1;
      return { text: size < lore.size ? truncate(lore.text, size) : lore.text };
    },
  };
}

/** Creates a function that returns a number from 0 up to 100 for an entry, always the same in the same turn. */
export function createChance(traceId: string): (entryId: string) => number {
  return (entryId) => {
    let hash = 0x811c9dc5;
    for (const text of [traceId, "/", entryId]) {
      for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000) * 100;
  };
}
