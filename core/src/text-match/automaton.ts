const ROOT = 0;
const NONE = -1;
const UNITS = 0x10000;

/**
 * Aho–Corasick over UTF-16 units, as plain arrays, so that one can be built in another thread. A state's children are
 * found by hash: states, not units, are numbered densely, so Chinese costs what English costs.
 */
export interface AutomatonTables {
  /** State after the root for each unit; 0 where there is none. */
  readonly root: Int32Array;
  /** Open addressing: the state, or 0. */
  readonly slots: Int32Array;
  readonly parent: Int32Array;
  readonly unit: Uint16Array;
  readonly fail: Int32Array;
  /** Nearest state, itself included, at which a keyword ends; 0 where there is none. */
  readonly output: Int32Array;
  /** The keyword that ends exactly there; -1. */
  readonly keyword: Int32Array;
  /** The next keyword with the same letters; -1. */
  readonly twin: Int32Array;
  readonly length: Int32Array;
}

export interface Automaton {
  /** Calls back for every occurrence of every keyword, overlapping ones included. The text must be folded. */
  search(text: string, found: (keyword: number, start: number, end: number) => void): void;
}

/** Builds the tables for keywords that are folded and not empty. */
export function buildTables(keywords: readonly string[]): AutomatonTables {
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
      const [table, place] = state === ROOT ? [root, code] : [slots, slotOf(slots, parent, unit, state, code)];
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

  const fail = new Int32Array(states);
  const output = new Int32Array(states);
  const tables = {
    root,
    slots,
    parent: parent.slice(0, states),
    unit: unit.slice(0, states),
    fail,
    output,
    keyword: keyword.slice(0, states),
    twin,
    length,
  };
  for (const state of byDepth(depth.subarray(0, states), maxDepth)) {
    const from = tables.parent[state] as number;
    const to = from === ROOT ? ROOT : step(tables, fail[from] as number, tables.unit[state] as number);
    fail[state] = to;
    output[state] = keyword[state] === NONE ? (output[to] as number) : state;
  }
  return tables;
}

export function createAutomaton(tables: AutomatonTables): Automaton {
  const { root, fail, output, keyword, twin, length } = tables;
  return {
    search(text, found) {
      let state = ROOT;
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        // Most of a text is the beginning of nothing.
        state = state === ROOT ? (root[code] as number) : step(tables, state, code);
        if (state === ROOT) continue;
        for (let end = output[state] as number; end !== ROOT; end = output[fail[end] as number] as number) {
          for (let index = keyword[end] as number; index !== NONE; index = twin[index] as number) {
            found(index, at + 1 - (length[index] as number), at + 1);
          }
        }
      }
    },
  };
}

/** The state after `from` on a unit, by way of its failure links. */
function step(tables: AutomatonTables, from: number, code: number): number {
  const { root, slots, parent, unit, fail } = tables;
  for (let state = from; state !== ROOT; state = fail[state] as number) {
    const next = slots[slotOf(slots, parent, unit, state, code)] as number;
    if (next !== ROOT) return next;
  }
  return root[code] as number;
}

/** Where the child of a state is, or would be. */
function slotOf(slots: Int32Array, parent: Int32Array, unit: Uint16Array, state: number, code: number): number {
  const mask = slots.length - 1;
  let slot = hash(state, code) & mask;
  for (;;) {
    const next = slots[slot] as number;
    if (next === ROOT || (parent[next] === state && unit[next] === code)) return slot;
    slot = (slot + 1) & mask;
  }
}

function hash(state: number, code: number): number {
  const mixed = Math.imul(state, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** All states but the root, shallow ones first. */
function byDepth(depth: Uint16Array, maxDepth: number): Int32Array {
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
