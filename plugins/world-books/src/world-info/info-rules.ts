import type { SkipReason } from "../activation/activation.ts";
import { type Hit, isLogicMet, type LoreMatch } from "../activation/find-lore.ts";
import type { Lore, LoreBook } from "../activation/lore.ts";
import { hasWord, type InfoSearch } from "./info-search.ts";

/** Effects of an entry's last activation: it stays active, or it rests. */
export interface TimedEffects {
  readonly isSticky: boolean;
  readonly isCooling: boolean;
}

/** Returns the effects of the last activation: first the entry stays for `sticky` messages, then it rests for `cooldown`. */
export function getTimedEffects({ options, messages }: InfoSearch, { id, info }: Lore): TimedEffects {
  const last = options.injectionState?.entries.get(id);
  if (!last) return { isSticky: false, isCooling: false };
  const passed = messages.filter(({ seq }) => seq === undefined || seq > last.seq).length;
  const isSticky = info.sticky > 0 && passed <= info.sticky;
  return { isSticky, isCooling: !isSticky && info.cooldown > 0 && passed <= info.sticky + info.cooldown };
}

/** Returns the reason why an entry cannot be activated in this turn whatever its keywords; undefined for none. */
export function findBar(search: InfoSearch, lore: Lore, { isSticky, isCooling }: TimedEffects): SkipReason | undefined {
  const { options, messages } = search;
  const { info } = lore;
  if (info.triggers.length > 0 && !info.triggers.includes(options.generation)) return "trigger";
  if (!isForCharacter(search, lore)) return "character";
  const before = options.injectionState?.entries.get(lore.id);
  const isSpent = lore.maxInjections > 0 && before !== undefined && before.count >= lore.maxInjections;
  if (isSpent || (info.decorators.dont_activate_after_match && before)) return "max_injections";
  if (info.delay > messages.length) return "delay";
  if (isCooling || (!isSticky && isResting(search, lore))) return "cooldown";
  return findDecoratorBar(search, lore);
}

function findDecoratorBar({ messages }: InfoSearch, { info: { decorators } }: Lore): SkipReason | undefined {
  const { activate, dont_activate, activate_only_after, activate_only_every } = decorators;
  if (activate) return undefined;
  if (dont_activate) return "decorator";
  const replies = messages.filter(({ role }) => role === "assistant").length;
  const isEarly = activate_only_after !== undefined && replies < activate_only_after;
  const isBetween = activate_only_every !== undefined && replies % activate_only_every !== 0;
  return isEarly || isBetween ? "decorator" : undefined;
}

/** Returns true while the entry's own cooldown in turns lasts. */
function isResting({ options: { injectionState } }: InfoSearch, { id, cooldown }: Lore): boolean {
  const before = injectionState?.entries.get(id);
  return (
    cooldown > 0 &&
    injectionState !== undefined &&
    before !== undefined &&
    injectionState.turn - before.turn <= cooldown
  );
}

function isForCharacter({ options: { character } }: InfoSearch, { info: { characters } }: Lore): boolean {
  if (!characters) return true;
  const isNamed = (character?.names ?? []).some((name) => characters.names.has(name));
  const isTagged = (character?.tags ?? []).some((tag) => characters.tags.has(tag));
  return (isNamed || isTagged) !== characters.isExclude;
}

/** Returns the match of an entry; undefined when no keyword of it occurs and nothing else activates it. */
export function matchEntry(
  search: InfoSearch,
  at: number,
  { lore, book, isSticky }: { readonly lore: Lore; readonly book: LoreBook; readonly isSticky: boolean },
): LoreMatch | undefined {
  const hits = [...(search.marks.get(at)?.values() ?? [])];
  const match = { lore, book, hits, sources: [...new Set(hits.filter(isFirst).map(({ place }) => place))] };
  if (isSticky || isAlwaysActive(search, lore)) return match;
  if (match.sources.length === 0) return undefined;
  const missed = findMissed(search, match);
  return missed ? { ...match, sources: [], missed } : match;
}

const isFirst = ({ isSecond }: Hit) => !isSecond;

function isAlwaysActive({ options }: InfoSearch, { id, alwaysOn, info: { decorators } }: Lore): boolean {
  const isLasting = decorators.keep_activate_after_match && options.injectionState?.entries.has(id);
  return alwaysOn || decorators.constant === true || decorators.activate === true || isLasting === true;
}

function findMissed(search: InfoSearch, { lore, book, hits }: LoreMatch): LoreMatch["missed"] {
  const { additional_keys, exclude_keys } = lore.info.decorators;
  const found = (isSecond: boolean) =>
    new Set(hits.filter((hit) => hit.isSecond === isSecond).map(({ keyword }) => keyword));
  if (lore.needsAll && found(false).size < new Set(lore.keywords).size) return "match_mode";
  if (!isLogicMet(lore, found(true))) return "secondary_keywords";
  if (additional_keys && !hasWord(search, lore, book, additional_keys)) return "secondary_keywords";
  return exclude_keys && hasWord(search, lore, book, exclude_keys) ? "secondary_keywords" : undefined;
}
