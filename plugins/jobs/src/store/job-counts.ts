import type { JobState } from "./tables.ts";

/** Counts of open and dead jobs of a kind. */
export interface KindCounts {
  waiting: number;
  running: number;
  dead: number;
}

export interface CountRow {
  readonly kind: string;
  readonly state: JobState;
  readonly count: number;
}

/** Counters updated with each change, so that no query needs a scan. Changes of other processes appear at the next `load`. */
export interface JobCounts {
  load(rows: readonly CountRow[]): void;
  /** Counts a change of state; `from` is undefined for a new job, `to` for a deleted one. */
  change(kind: string, from: JobState | undefined, to: JobState | undefined, by?: number): void;
  get(kind: string): Readonly<KindCounts>;
  all(): ReadonlyMap<string, Readonly<KindCounts>>;
}

const COUNTER_BY_STATE: Readonly<Partial<Record<JobState, keyof KindCounts>>> = {
  later: "waiting",
  waiting: "waiting",
  running: "running",
  dead: "dead",
};

export function createJobCounts(): JobCounts {
  const kinds = new Map<string, KindCounts>();
  const getOrCreate = (kind: string): KindCounts => {
    const known = kinds.get(kind);
    if (known) return known;
    const none = { waiting: 0, running: 0, dead: 0 };
    kinds.set(kind, none);
    return none;
  };
  const add = (kind: string, state: JobState | undefined, by: number) => {
    const field = state && COUNTER_BY_STATE[state];
    if (field) getOrCreate(kind)[field] = Math.max(0, getOrCreate(kind)[field] + by);
  };
  return {
    load(rows) {
      kinds.clear();
      for (const { kind, state, count } of rows) add(kind, state, Number(count));
    },
    change(kind, from, to, by = 1) {
      add(kind, from, -by);
      add(kind, to, by);
    },
    get: getOrCreate,
    all: () => kinds,
  };
}
