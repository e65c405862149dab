const ROOT = 0;
const NONE = -1;
const UNITS = 0x10000;
/** Maximum of states × classes up to which a full transition table is built; above it children are found by hash. */
const MAX_TRANSITIONS = 0x40000;

/**
 * Aho–Corasick over UTF-16 units in plain arrays, so that another thread can build it. Children are found by hash:
 * states are numbered densely, so Chinese costs the same as English.
 */
export interface AutomatonTables {
  /** State after the root for each unit; 0 where there is none. */
  readonly root: Int32Array;
  /** Hash table with open addressing; each slot contains a state, or 0. */
  readonly slots: Int32Array;
  readonly parent: Int32Array;
  readonly unit: Uint16Array;
  readonly fail: Int32Array;
  /** Nearest state, itself included, at which a keyword ends; 0 where there is none. */
  readonly output: Int32Array;
  /** Index of the keyword that ends exactly at each state; -1 for none. */
  readonly keyword: Int32Array;
  /** Index of the next keyword with the same letters; -1 for none. */
  readonly twin: Int32Array;
  readonly length: Int32Array;
  /** Class of each unit among the units of all keywords, from 1; 0 for units in no keyword. Empty when `next` is. */
  readonly classes: Uint16Array;
  /**
   * Transition table: for each state a row with its `output`, then, for each class, the offset of the row of the following state,
   * with failure links resolved. Empty when it would be too large.
   */
  readonly next: Int32Array;
}

type OnMatch = (keyword: number, start: number, end: number) => void;

/** Finds many keywords in a text in one pass. */
export interface Automaton {
  /** Calls back for every occurrence of every keyword, overlapping ones included. The text must be folded. */
  search(text: string, found: OnMatch): void;
}

/** Builds the tables for keywords that are folded and not empty. */
export function buildTables(keywords: readonly string[]): AutomatonTables {
  const { order, ...trieTables } = buildTrie(keywords);
  const fail = new Int32Array(trieTables.parent.length);
  const output = new Int32Array(trieTables.parent.length);
  const trie = { ...trieTables, fail, output };
  for (const state of order) {
    const from = trie.parent[state] as number;
    const to = from === ROOT ? ROOT : nextState(trie, fail[from] as number, trie.unit[state] as number);
    fail[state] = to;
    output[state] = trie.keyword[state] === NONE ? (output[to] as number) : state;
  }
  return { ...trie, ...buildTransitions(trie, order) };
}

/** Builds a state for each beginning of a keyword, and lists all states in the order of their depth. */
function buildTrie(keywords: readonly string[]) {
  const maxStates = keywords.reduce((sum, { length }) => sum + length, 1);
  const root = new Int32Array(UNITS);
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(maxStates * 2)));
  const parent = new Int32Array(maxStates);
  const unit = new Uint16Array(maxStates);
  const depth = new Uint16Array(maxStates);
  const keyword = new Int32Array(maxStates).fill(NONE);
  const twin = new Int32Array(keywords.length).fill(NONE);
  const length = Int32Array.from(keywords, (one) => one.length);
  let states = 1;
  let maxDepth = 0;

  for (const [index, word] of keywords.entries()) {
    let state = ROOT;
    for (let at = 0; at < word.length; at += 1) {
      const code = word.charCodeAt(at);
      const [table, place] = state === ROOT ? [root, code] : [slots, findSlot(slots, parent, unit, state, code)];
      if (table[place] === ROOT) {
        table[place] = states;
        parent[states] = state;
        unit[states] = code;
        depth[states] = at + 1;
        states += 1;
      }
      state = table[place] as number;
    }
    maxDepth = Math.max(maxDepth, word.length);
    twin[index] = keyword[state] as number;
    keyword[state] = index;
  }

  return {
    order: orderByDepth(depth.subarray(0, states), maxDepth),
    root,
    slots,
    parent: parent.slice(0, states),
    unit: unit.slice(0, states),
    keyword: keyword.slice(0, states),
    twin,
    length,
  };
}

type Trie = Omit<AutomatonTables, "classes" | "next">;

/** Builds the full transition table of a small automaton, so that each unit of a text is one look-up. */
function buildTransitions(
  { parent, unit, fail, output }: Trie,
  order: Int32Array,
): Pick<AutomatonTables, "classes" | "next"> {
  const units = new Set(unit.subarray(1));
  const width = units.size + 1;
  if (parent.length * width > MAX_TRANSITIONS) return { classes: new Uint16Array(), next: new Int32Array() };
  const classes = new Uint16Array(UNITS);
  for (const [index, code] of [...units].entries()) classes[code] = index + 1;
  const next = new Int32Array(parent.length * width);
  for (let state = 1; state < parent.length; state += 1) {
    next[(parent[state] as number) * width + (classes[unit[state] as number] as number)] = state * width;
  }
  for (const state of order) {
    const row = state * width;
    const failed = (fail[state] as number) * width;
    next[row] = output[state] as number;
    for (let at = 1; at < width; at += 1) if (next[row + at] === ROOT) next[row + at] = next[failed + at] as number;
  }
  return { classes, next };
}

/** Creates an automaton from the tables of `buildTables`. */
export function createAutomaton(tables: AutomatonTables): Automaton {
  const { root, fail, output, keyword, twin, length, classes, next } = tables;
  const reportMatches = (last: number, at: number, found: OnMatch) => {
    for (let end = last; end !== ROOT; end = output[fail[end] as number] as number) {
      for (let index = keyword[end] as number; index !== NONE; index = twin[index] as number) {
        found(index, at - (length[index] as number), at);
      }
    }
  };
  if (next.length > 0) {
    return {
      search(text, found) {
        let row = ROOT;
        for (let at = 0; at < text.length; at += 1) {
          const unitClass = classes[text.charCodeAt(at)] as number;
          row = unitClass === 0 ? ROOT : (next[row + unitClass] as number);
          if (row !== ROOT && next[row] !== ROOT) reportMatches(next[row] as number, at + 1, found);
        }
      },
    };
  }
  return {
    search(text, found) {
      let state = ROOT;
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        // At most positions of a text no keyword begins, so the root is the usual state.
        state = state === ROOT ? (root[code] as number) : nextState(tables, state, code);
        if (state !== ROOT) reportMatches(output[state] as number, at + 1, found);
      }
    },
  };
}

/** Returns the state after `from` on a unit, following its failure links. */
function nextState(tables: Trie, from: number, code: number): number {
  const { root, slots, parent, unit, fail } = tables;
  for (let state = from; state !== ROOT; state = fail[state] as number) {
    const next = slots[findSlot(slots, parent, unit, state, code)] as number;
    if (next !== ROOT) return next;
  }
  return root[code] as number;
}

/** Returns the slot of a state's child, or the free slot for it. */
function findSlot(slots: Int32Array, parent: Int32Array, unit: Uint16Array, state: number, code: number): number {
  const mask = slots.length - 1;
  let slot = hashStep(state, code) & mask;
  for (;;) {
    const next = slots[slot] as number;
    if (next === ROOT || (parent[next] === state && unit[next] === code)) return slot;
    slot = (slot + 1) & mask;
  }
}

function hashStep(state: number, code: number): number {
  const mixed = Math.imul(state, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Returns all states except the root, shallow ones first. */
function orderByDepth(depth: Uint16Array, maxDepth: number): Int32Array {
  const starts = new Int32Array(maxDepth + 2);
  const states = depth.subarray(1);
  for (const level of states) starts[level + 1] = (starts[level + 1] as number) + 1;
  for (let level = 1; level < starts.length; level += 1) {
    starts[level] = (starts[level] as number) + (starts[level - 1] as number);
  }
  const order = new Int32Array(states.length);
  for (const [index, level] of states.entries()) {
    order[starts[level] as number] = index + 1;
    starts[level] = (starts[level] as number) + 1;
  }
  return order;
}
