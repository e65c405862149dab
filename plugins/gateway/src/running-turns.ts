import { setImmediate } from "node:timers/promises";
import type { Clock, Logger, RunningTurn } from "@parley/core";
import type { FailPoint } from "./fail-point.ts";
import { begunBefore, createItemRecovery, type ItemRecovery } from "./item-recovery.ts";
import type { ItemWork } from "./item-work.ts";
import { WITHDRAWN } from "./shutdown.ts";
import { createStorageTrouble, type StorageTrouble } from "./storage-trouble.ts";
import type { Claimed, WaitingItem } from "./store/inbox.ts";
import type { GatewayStore } from "./store.ts";
import { isTask } from "./turn-lanes.ts";
import type { TurnQueue } from "./turn-queue.ts";
import type { StartedTurn } from "./turn-runner.ts";

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
  /** Stops the turn of a platform's message that was withdrawn, unless people see something of its answer. */
  withdraw(sessionId: string, platformMessageId: string): Promise<void>;
  /** Stops the turn of a session; only the one named. Gives the trace ids of what is stopped. */
  abort(sessionId: string, traceId: string | undefined): readonly string[];
  counts(): { readonly turns: number; readonly errors: number; readonly trouble: string | undefined };
  /** Notes whether the storage works. */
  stored(result: Promise<unknown>): void;
  /** Sessions of turns whose claim or end is not on disk. */
  unsettled(): readonly string[];
  /** Lets nothing begin again that has to be tried anew. */
  stop(): void;
}

export interface RunningTurnsParts {
  readonly store: GatewayStore;
  readonly work: ItemWork;
  readonly queue: TurnQueue;
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

interface One extends Omit<Running, "ended"> {
  readonly claim: Promise<Claimed | undefined>;
  ended: Promise<void>;
  readonly startedMs: number;
  turn: StartedTurn | undefined;
}

interface Turns extends RunningTurnsParts {
  readonly recovery: ItemRecovery;
  readonly trouble: StorageTrouble;
  readonly counts: { turns: number; errors: number };
}

export function createRunningTurns(parts: RunningTurnsParts): RunningTurns {
  const trouble = createStorageTrouble();
  const recovery = createItemRecovery({ ...parts, trouble });
  const all: Turns = { ...parts, recovery, trouble, counts: { turns: 0, errors: 0 } };
  const ofSessions = new Map<string, One>();
  const beside = new Set<One>();
  let tasks = 0;
  return {
    begin(item, claim) {
      const change = isTask(item) ? 1 : 0;
      tasks += change;
      const ended = () => {
        ofSessions.delete(item.sessionId);
        tasks -= change;
      };
      ofSessions.set(item.sessionId, begun(all, item, claim, ended));
    },
    beginBeside(item, claim) {
      beside.add(begun(all, item, claim, (one) => beside.delete(one)));
    },
    has: (sessionId) => ofSessions.has(sessionId),
    get size() {
      return ofSessions.size - tasks;
    },
    get tasks() {
      return tasks;
    },
    list: () => [...ofSessions.values(), ...beside],
    state: (sessionId) => stateOf(ofSessions.get(sessionId)),
    async withdraw(sessionId, platformMessageId) {
      const found = ofSessions.get(sessionId);
      const claimed = await found?.claim.catch(() => undefined);
      const isMeant = claimed?.message.platformMessageId === platformMessageId;
      if (isMeant && !found?.turn?.isShown()) found?.abort.abort(WITHDRAWN);
    },
    abort(sessionId, traceId) {
      const found = ofSessions.get(sessionId);
      if (!found || (traceId !== undefined && found.item.traceId !== traceId)) return [];
      found.abort.abort(new DOMException("stopped by the user", "AbortError"));
      return [found.item.traceId];
    },
    counts: () => ({ ...all.counts, trouble: trouble.reason() }),
    stored: trouble.watch,
    unsettled: recovery.unsettled,
    stop: recovery.stop,
  };
}

function begun(turns: Turns, item: WaitingItem, claim: Promise<Claimed | undefined>, ended: (one: One) => void): One {
  const abort = new AbortController();
  const go = async () => {
    let claimed: Claimed | undefined;
    try {
      claimed = await claim;
      if (claimed) {
        // What was stored in the same commit is acknowledged first.
        await setImmediate();
        await run(turns, one, claimed);
      }
      turns.trouble.works();
    } catch (error) {
      turns.counts.errors += 1;
      await turns.recovery.failed(item, claimed, error as Error);
    } finally {
      ended(one);
      turns.over();
    }
  };
  const one: One = { item, claim, abort, startedMs: turns.clock.now(), turn: undefined, ended: Promise.resolve() };
  one.ended = go();
  return one;
}

async function run({ work, queue, clock, failPoint, recovery, counts, took }: Turns, one: One, claimed: Claimed) {
  const { item, abort } = one;
  failPoint("leased");
  counts.turns += 1;
  const begunMs = clock.monotonic();
  const started = (turn: StartedTurn) => {
    one.turn = turn;
  };
  const { retryInMs } = await work.run(item, { claimed, abort, started });
  took(Math.max(1, Math.round((clock.monotonic() - begunMs) * 1000)));
  recovery.worked(item.id);
  if (retryInMs !== undefined) queue.retry(begunBefore(item), retryInMs);
}

function stateOf(one: One | undefined): RunningTurn | undefined {
  if (!one) return undefined;
  const before = { traceId: one.item.traceId, stage: "prepare", messageId: null, sender: "", text: "" };
  return { ...(one.turn?.state() ?? before), startedAt: new Date(one.startedMs).toISOString() };
}
