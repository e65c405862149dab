import type { DeliveryState, InboxState } from "../../store/tables.ts";

type Counts<State extends string> = Readonly<Partial<Record<State, number>>>;

interface Change<State> {
  /** The reason why the message or delivery was dropped. */
  readonly cause?: string;
  /** The previous state, if that was final. */
  readonly from?: State;
}

/** Numbers of rows by state, updated with each change so that no query needs a scan. */
export interface StateCounters {
  readonly items: StateCounts<InboxState>;
  readonly deliveries: StateCounts<DeliveryState>;
  /** Dropped messages since start, by reason. */
  dropped(): ReadonlyMap<string, number>;
}

export interface StateCounts<State extends string> {
  /** Sets the counts from the table; `open` lists the rows that are not final. */
  load(counts: Counts<State>, open: readonly { readonly id: string; readonly state: State }[]): void;
  /** Replaces the counts by those of the table, which include the rows of other nodes. */
  reset(counts: Counts<State>): void;
  change(id: string, state: State, change?: Change<State>): void;
  /** Stops counting a row, because another node counts it from now on. */
  forget(id: string): void;
  counts(): Counts<State>;
}

const OPEN_STATES = new Set<string>(["waiting", "running", "pending", "sending", "failed", "unknown_after_send"]);
/** Final states of messages without a reply and of failed deliveries. */
const DROPPED_STATES = new Set<string>(["skipped", "expired", "dead"]);

export function createStateCounters(): StateCounters {
  const dropped = new Map<string, number>();
  const countDropped = (state: string, cause: string | undefined) => {
    if (!DROPPED_STATES.has(state)) return;
    const reason = state === "expired" ? "expired" : (cause ?? state);
    dropped.set(reason, (dropped.get(reason) ?? 0) + 1);
  };
  // A failed turn is final; a failed delivery is retried.
  const isOpenItem = (state: InboxState) => OPEN_STATES.has(state) && state !== "failed";
  return {
    items: createCounts(isOpenItem, countDropped),
    deliveries: createCounts<DeliveryState>((state) => OPEN_STATES.has(state), countDropped),
    dropped: () => dropped,
  };
}

function createCounts<State extends string>(
  isOpen: (state: State) => boolean,
  countDropped: (state: string, cause: string | undefined) => void,
): StateCounts<State> {
  const counts = new Map<State, number>();
  const states = new Map<string, State>();
  const add = (state: State, by: number) => counts.set(state, (counts.get(state) ?? 0) + by);
  const reset = (totals: Counts<State>) => {
    counts.clear();
    for (const [state, count] of Object.entries(totals)) add(state as State, Number(count));
  };
  return {
    reset,
    load(totals, open) {
      reset(totals);
      states.clear();
      for (const { id, state } of open) states.set(id, state);
    },
    change(id, state, { cause, from = states.get(id) } = {}) {
      if (from !== undefined) add(from, -1);
      add(state, 1);
      if (isOpen(state)) states.set(id, state);
      else states.delete(id);
      countDropped(state, cause);
    },
    forget(id) {
      const from = states.get(id);
      if (from !== undefined) add(from, -1);
      states.delete(id);
    },
    counts: () => Object.fromEntries(counts) as Counts<State>,
  };
}
