import type { Clock, Logger, RunningTurn } from "@parley/core";
import type { FailPoint } from "./fail-point.ts";
import type { ItemWork } from "./item-work.ts";
import type { Claimed, GatewayStore, WaitingItem } from "./store.ts";
import { isTask } from "./turn-lanes.ts";
import type { TurnQueue } from "./turn-queue.ts";
import type { StartedTurn } from "./turn-runner.ts";

/** While the storage cannot take anything: from a second on, doubling. */
const FIRST_FREE_MS = 1_000;
const LAST_FREE_MS = 30_000;
/** Faults of our own on one message, after which it is given up. */
const MAX_FAULTS = 5;

/** One turn under way. */
export interface Running {
  readonly item: WaitingItem;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** Turns under way: one of a session, and beside it commands that do not wait. */
export interface RunningTurns {
  /** Undefined as claim: it was a copy, there is nothing to do. */
  begin(item: WaitingItem, claim: Promise<Claimed | undefined>): void;
  /** The same for a command that does not wait for the turn of its session. */
  beginBeside(item: WaitingItem, claim: Promise<Claimed | undefined>): void;
  has(sessionId: string): boolean;
  /** Turns that take a place. */
  readonly size: number;
  /** Tasks: they take no place of a turn, which they may wait for. */
  readonly tasks: number;
  /** All of them. */
  list(): readonly Running[];
  state(sessionId: string): RunningTurn | undefined;
  /** Stops the turn of a session; only the one named. Gives the trace ids of what is stopped. */
  abort(sessionId: string, traceId: string | undefined): readonly string[];
  counts(): { readonly turns: number; readonly errors: number; readonly trouble: string | undefined };
  /** Notes whether the storage works. */
  stored(result: Promise<unknown>): void;
  /** Lets nothing begin again that has to be tried anew. */
  stop(): void;
}

export interface RunningTurnsParts {
  readonly store: GatewayStore;
  readonly work: ItemWork;
  readonly queue: () => TurnQueue;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly failPoint: FailPoint;
  /** Names this process in leases. */
  readonly owner: string;
  /** Called when a turn is over. */
  readonly over: () => void;
  /** Microseconds a turn took. */
  readonly took: (micros: number) => void;
}

interface One extends Running {
  readonly startedMs: number;
  turn: StartedTurn | undefined;
}

export function createRunningTurns(parts: RunningTurnsParts): RunningTurns {
  const { store, work, queue, logger, clock, failPoint, owner, over, took } = parts;
  const ofSessions = new Map<string, One>();
  const beside = new Set<One>();
  const faults = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  let tasks = 0;
  let turns = 0;
  let errors = 0;
  let trouble: string | undefined;
  let isStopping = false;

  const works = () => {
    trouble = undefined;
  };
  const fails = ({ message }: Error) => {
    trouble = message;
  };
  /** Its claim or its end is not on disk: until that is settled its session waits. */
  const freeLater = (item: WaitingItem, ms: number) => {
    if (isStopping) return;
    queue().hold(item.sessionId);
    const settle = async () => {
      try {
        if (await store.free(item.id, owner)) queue().putBack(again(item));
        works();
        queue().release(item.sessionId);
      } catch (error) {
        fails(error as Error);
        freeLater(item, Math.min(ms * 2, LAST_FREE_MS));
      }
    };
    const timer = setTimeout(() => {
      timers.delete(timer);
      void settle();
    }, ms);
    timers.add(timer);
  };
  /** A message that can neither be worked on nor ended must not be tried for ever. */
  const failed = async (item: WaitingItem, claimed: Claimed | undefined, error: Error) => {
    fails(error);
    errors += 1;
    const count = (faults.get(item.id) ?? 0) + 1;
    logger.error("a turn could not be worked on", { traceId: item.traceId, tries: count, error });
    faults.set(item.id, count);
    if (count >= MAX_FAULTS && claimed) {
      const isGivenUp = await work.giveUp(item, claimed).then(
        () => true,
        () => false,
      );
      if (isGivenUp) return void faults.delete(item.id);
    }
    freeLater(item, FIRST_FREE_MS);
  };
  const run = (item: WaitingItem, claim: Promise<Claimed | undefined>, ended: (one: One) => void): One => {
    const abort = new AbortController();
    let claimed: Claimed | undefined;
    const go = async () => {
      claimed = await claim;
      if (!claimed) return;
      failPoint("leased");
      turns += 1;
      const begunMs = clock.monotonic();
      const started = (turn: StartedTurn) => {
        one.turn = turn;
      };
      const { retryInMs } = await work.run(item, { claimed, abort, started });
      took(Math.max(1, Math.round((clock.monotonic() - begunMs) * 1000)));
      faults.delete(item.id);
      if (retryInMs !== undefined) queue().retry(again(item), retryInMs);
    };
    const one: One = {
      item,
      abort,
      startedMs: clock.now(),
      turn: undefined,
      ended: go()
        .then(works, (error: Error) => failed(item, claimed, error))
        .finally(() => {
          ended(one);
          over();
        }),
    };
    return one;
  };

  return {
    begin(item, claim) {
      const ended = () => {
        ofSessions.delete(item.sessionId);
        if (isTask(item)) tasks -= 1;
      };
      if (isTask(item)) tasks += 1;
      ofSessions.set(item.sessionId, run(item, claim, ended));
    },
    beginBeside(item, claim) {
      beside.add(run(item, claim, (one) => beside.delete(one)));
    },
    has: (sessionId) => ofSessions.has(sessionId),
    get size() {
      return ofSessions.size - tasks;
    },
    get tasks() {
      return tasks;
    },
    list: () => [...ofSessions.values(), ...beside],
    state(sessionId) {
      const found = ofSessions.get(sessionId);
      if (!found) return undefined;
      const { turn, item, startedMs } = found;
      const before = { traceId: item.traceId, stage: "prepare", messageId: null, sender: "", text: "" };
      return { ...(turn?.state() ?? before), startedAt: new Date(startedMs).toISOString() };
    },
    abort(sessionId, traceId) {
      const found = ofSessions.get(sessionId);
      if (!found || (traceId !== undefined && found.item.traceId !== traceId)) return [];
      found.abort.abort(new DOMException("stopped by the user", "AbortError"));
      return [found.item.traceId];
    },
    counts: () => ({ turns, errors, trouble }),
    stored: (result) => void result.then(works, fails),
    stop() {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** As one whose turn was begun: everything of it is read anew. */
function again({ message: _message, ...item }: WaitingItem): WaitingItem {
  return { ...item, isFirst: false };
}
