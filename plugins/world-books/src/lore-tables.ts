import { type AutomatonTables, buildTables, foldText } from "@parley/core/text-match";

/** Second keywords are counted from here: an entry has at most a hundred of each. */
export const SECOND = 128;

/** What is looked for of one entry; those with regular expressions are not in it. */
export interface Wanted {
  readonly keywords: readonly string[];
  readonly secondary: readonly string[];
}

/** All keywords of all entries in one search: of each who wants it, `entry * 256 + keyword`. */
export interface LoreTables {
  readonly automaton: AutomatonTables;
  readonly starts: Int32Array;
  readonly owners: Int32Array;
}

/** What nobody has to hold in memory twice: keywords that look alike are one pattern. Runs in a thread of its own when there are many. */
export function buildLoreTables(wanted: readonly Wanted[]): LoreTables {
  const owners = new Map<string, number[]>();
  let count = 0;
  const add = (keyword: string, owner: number) => {
    const pattern = foldText(keyword);
    const known = owners.get(pattern);
    if (known) known.push(owner);
    else owners.set(pattern, [owner]);
    count += 1;
  };
  for (const [index, { keywords, secondary }] of wanted.entries()) {
    for (const [slot, keyword] of keywords.entries()) add(keyword, index * 256 + slot);
    for (const [slot, keyword] of secondary.entries()) add(keyword, index * 256 + SECOND + slot);
  }
  const starts = new Int32Array(owners.size + 1);
  const flat = new Int32Array(count);
  let at = 0;
  for (const [index, list] of [...owners.values()].entries()) {
    starts[index] = at;
    for (const owner of list) {
      flat[at] = owner;
      at += 1;
    }
  }
  starts[owners.size] = at;
  return { automaton: buildTables([...owners.keys()]), starts, owners: flat };
}

/** What is handed over rather than copied. */
export function buffersOf({ automaton, starts, owners }: LoreTables): ArrayBuffer[] {
  return [...Object.values(automaton), starts, owners].map(({ buffer }) => buffer as ArrayBuffer);
}
