import { type AutomatonTables, buildTables, foldText } from "@parley/core/text-match";

/** Second keywords are counted from here: an entry has at most a hundred of each. */
export const SECONDARY_OFFSET = 128;

/** Keywords of an entry; those of regular expressions are not included. */
export interface SearchedKeywords {
  readonly keywords: readonly string[];
  readonly secondary: readonly string[];
}

/** All keywords of all entries in one search: of each who wants it, `entry * 256 + keyword`. */
export interface LoreTables {
  readonly automaton: AutomatonTables;
  readonly starts: Int32Array;
  readonly owners: Int32Array;
}

/** The same for all entries, in a form that can be transferred to another thread quickly. */
export interface PackedWords {
  /** Every keyword, one after the other. */
  readonly text: string;
  /** Length of each keyword. */
  readonly lengths: Uint16Array;
  /** Keyword and secondary keyword counts of each entry. */
  readonly counts: Uint8Array;
}

/** Packs some entries at a time. */
export function createPacker() {
  const words: string[] = [];
  const counts: number[] = [];
  return {
    add({ keywords, secondary }: SearchedKeywords): void {
      words.push(...keywords, ...secondary);
      counts.push(keywords.length, secondary.length);
    },
    packed: (): PackedWords => ({
      text: words.join(""),
      lengths: Uint16Array.from(words, ({ length }) => length),
      counts: Uint8Array.from(counts),
    }),
  };
}

/** Builds the search tables; equal keywords share one pattern. Runs in a worker thread when there are many. */
export function buildLoreTables({ text, lengths, counts }: PackedWords): LoreTables {
  const owners = new Map<string, number[]>();
  let word = 0;
  let from = 0;
  const add = (owner: number) => {
    const end = from + (lengths[word] as number);
    const pattern = foldText(text.slice(from, end));
    const known = owners.get(pattern);
    if (known) known.push(owner);
    else owners.set(pattern, [owner]);
    from = end;
    word += 1;
  };
  for (let entry = 0; entry * 2 < counts.length; entry += 1) {
    const [first, second] = counts.subarray(entry * 2) as unknown as readonly [number, number];
    for (let slot = 0; slot < first; slot += 1) add(entry * 256 + slot);
    for (let slot = 0; slot < second; slot += 1) add(entry * 256 + SECONDARY_OFFSET + slot);
  }
  const starts = new Int32Array(owners.size + 1);
  const flat = new Int32Array(lengths.length);
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

/** Returns the buffers to transfer rather than copy. */
export function listTransferables({ automaton, starts, owners }: LoreTables): ArrayBuffer[] {
  return [...Object.values(automaton), starts, owners].map(({ buffer }) => buffer as ArrayBuffer);
}
