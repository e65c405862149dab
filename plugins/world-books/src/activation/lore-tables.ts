import { type AutomatonTables, buildTables, foldText } from "@parley/core/text-match";

/** Offset of secondary keywords in the numbering; an entry has at most a hundred of either kind. */
export const SECONDARY_OFFSET = 128;

/** Keywords of an entry that are not regular expressions. */
export interface SearchedKeywords {
  readonly keywords: readonly string[];
  readonly secondary: readonly string[];
}

/** One search for the keywords of all entries; a match gives `entry * 256 + keyword` for each entry that has it. */
export interface LoreTables {
  readonly automaton: AutomatonTables;
  readonly starts: Int32Array;
  readonly owners: Int32Array;
}

/** The keywords of all entries, in a form that is transferred quickly to another thread. */
export interface PackedWords {
  /** All keywords, concatenated. */
  readonly text: string;
  readonly lengths: Uint16Array;
  /** The number of keywords and of secondary keywords of each entry. */
  readonly counts: Uint8Array;
}

/** Creates a packer, which packs a number of entries at a time. */
export function createPacker() {
  const words: string[] = [];
  const counts: number[] = [];
  return {
    add({ keywords, secondary }: SearchedKeywords): void {
      words.push(...keywords, ...secondary);
      counts.push(keywords.length, secondary.length);
    },
    pack: (): PackedWords => ({
      text: words.join(""),
      lengths: Uint16Array.from(words, ({ length }) => length),
      counts: Uint8Array.from(counts),
    }),
  };
}

/** Builds the search tables; equal keywords share one pattern. Runs in a worker thread for many entries. */
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

/** Returns the buffers that are transferred to another thread instead of copied. */
export function listTransferables({ automaton, starts, owners }: LoreTables): ArrayBuffer[] {
  return [...Object.values(automaton), starts, owners].map(({ buffer }) => buffer as ArrayBuffer);
}
