import type { LoreMatch } from "../activation/find-lore.ts";
import type { Lore } from "../activation/lore.ts";

/** A matched entry that may be activated, and whether an earlier activation keeps it active. */
export interface Candidate extends LoreMatch {
  readonly at: number;
  readonly isSticky: boolean;
}

/**
 * Returns the candidates that lose in an inclusion group. In each group one entry remains: the one that is active
 * already or stays active, else the one that is prioritized, else one that is drawn by weight.
 */
export function findGroupLosers(
  candidates: readonly Candidate[],
  active: readonly Lore[],
  draw: (group: string) => number,
): ReadonlySet<Candidate> {
  const losers = new Set<Candidate>();
  const groups = new Map<string, Candidate[]>();
  for (const one of candidates) {
    for (const name of new Set(one.lore.groups)) {
      const members = groups.get(name);
      if (members) members.push(one);
      else groups.set(name, [one]);
    }
  }
  const activeGroups = new Set(active.flatMap(({ groups: own }) => own));
  for (const [name, members] of groups) {
    const present = members.filter((one) => !losers.has(one));
    const winners = activeGroups.has(name) ? [] : findWinners(present, () => draw(name));
    for (const one of present) if (!winners.includes(one)) losers.add(one);
  }
  return losers;
}

function findWinners(members: readonly Candidate[], draw: () => number): readonly Candidate[] {
  const sticky = members.filter(({ isSticky }) => isSticky);
  if (sticky.length > 0) return sticky;
  const left = withoutOutscored(members);
  const prioritized = left.filter(({ lore }) => lore.info.isPrioritized);
  const [first] = prioritized.length > 0 ? prioritized.toSorted((a, b) => b.lore.order - a.lore.order) : left;
  if (prioritized.length > 0 || left.length < 2) return first ? [first] : [];
  return drawByWeight(left, draw());
}

/** Removes the scored members that have fewer matched keywords than another. */
function withoutOutscored(members: readonly Candidate[]): readonly Candidate[] {
  if (!members.some(({ lore }) => lore.info.isScored)) return members;
  const most = Math.max(...members.map(getScore));
  return members.filter((one) => !one.lore.info.isScored || getScore(one) === most);
}

/** Returns the number of matched keywords; secondary ones count where the entry needs them. */
function getScore({ lore, hits }: Candidate): number {
  const count = (isSecond: boolean) =>
    new Set(hits.filter((hit) => hit.isSecond === isSecond).map(({ keyword }) => keyword)).size;
  return count(false) + (lore.logic === "and_any" || lore.logic === "and_all" ? count(true) : 0);
}

/** Returns the member at which a number from 0 to 100 points, each having a share by its weight. */
function drawByWeight(members: readonly Candidate[], drawn: number): readonly Candidate[] {
  const weightOf = ({ lore }: Candidate) => Math.max(0, lore.groupWeight);
  const total = members.reduce((sum, one) => sum + weightOf(one), 0);
  let left = (drawn / 100) * total;
  for (const one of members) {
    left -= weightOf(one);
    if (left < 0) return [one];
  }
  return members.slice(0, 1);
}
