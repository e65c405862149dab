import { setImmediate } from "node:timers/promises";
import type { Clock, Logger, RunningTurn } from "@parley/core";
import type { FailPoint } from "../fail-point.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { ClaimedMessage, QueueItem } from "../store/inbox.ts";
import type { ActiveTurn } from "./active-turn.ts";
import type { MessageProcessor } from "./message-processor.ts";
import { createMessageRecovery, type MessageRecovery } from "./message-recovery.ts";
import { type TurnQueue, toRestarted } from "./queue/turn-queue.ts";
import { isTask } from "./queue/work-queues.ts";
import type { StartedTurn } from "./run/turn-runner.ts";
import { MESSAGE_RECALLED } from "./shutdown.ts";
import { createStorageHealth, type StorageHealth } from "./storage-health.ts";

/** The running turns: at most one per session, besides commands that do not wait. */
export interface RunningTurns {
  /** Starts a turn when its claim resolves; undefined marks a duplicate, for which nothing runs. */
  start(item: QueueItem, claim: Promise<ClaimedMessage | undefined>): void;
  /** Starts a command that does not wait for the running turn of its session. */
  startConcurrent(item: QueueItem, claim: Promise<ClaimedMessage | undefined>): void;
  has(sessionId: string): boolean;
  /** Number of running turns that occupy a slot. */
  readonly size: number;
  /** Number of running tasks. They occupy no slot of a turn, because they may wait for one. */
  readonly tasks: number;
  list(): readonly ActiveTurn[];
  state(sessionId: string): RunningTurn | undefined;
  /** Stops the turn of a message that was deleted on its platform, unless people already see part of the answer. */
  abortRecalled(sessionId: string, platformMessageId: string): Promise<void>;
  /** Stops the session's turn if `traceId` is absent or its own, but no command that runs beside it; returns the stopped trace ids. */
  abort(sessionId: string, traceId: string | undefined): readonly string[];
  counts(): { readonly turns: number; readonly errors: number; readonly storageError: string | undefined };
  /** Observes whether a write succeeds, for the health of the storage. */
  watchWrite(result: Promise<unknown>): void;
  /** Returns the sessions of turns whose claim or end is not committed. */
  unsettled(): readonly string[];
  stop(): void;
}

export interface RunningTurnsDeps {
  readonly store: GatewayStore;
  readonly processor: MessageProcessor;
  readonly queue: TurnQueue;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly failPoint: FailPoint;
  readonly owner: string;
  /** Called when a turn has ended. */
  readonly onFinished: () => void;
  /** Records the duration of a turn in microseconds. */
  readonly recordDuration: (micros: number) => void;
}

interface ActiveTurnState extends Omit<ActiveTurn, "ended"> {
  readonly claim: Promise<ClaimedMessage | undefined>;
  ended: Promise<void>;
  readonly startedMs: number;
  turn: StartedTurn | undefined;
}

interface RunningTurnsState extends RunningTurnsDeps {
  readonly recovery: MessageRecovery;
  readonly storageHealth: StorageHealth;
  readonly counts: { turns: number; errors: number };
}

export function createRunningTurns(deps: RunningTurnsDeps): RunningTurns {
  const storageHealth = createStorageHealth();
  const recovery = createMessageRecovery({ ...deps, storageHealth });
  const state: RunningTurnsState = { ...deps, recovery, storageHealth, counts: { turns: 0, errors: 0 } };
  const bySession = new Map<string, ActiveTurnState>();
  const concurrent = new Set<ActiveTurnState>();
  let tasks = 0;
  return {
    start(item, claim) {
      const change = isTask(item) ? 1 : 0;
      tasks += change;
      const ended = () => {
        bySession.delete(item.sessionId);
        tasks -= change;
      };
      bySession.set(item.sessionId, startTurn(state, item, claim, ended));
    },
    startConcurrent(item, claim) {
      concurrent.add(startTurn(state, item, claim, (one) => concurrent.delete(one)));
    },
    has: (sessionId) => bySession.has(sessionId),
    get size() {
      return bySession.size - tasks;
    },
    get tasks() {
      return tasks;
    },
    list: () => [...bySession.values(), ...concurrent],
    state: (sessionId) => toRunningTurn(bySession.get(sessionId)),
    async abortRecalled(sessionId, platformMessageId) {
      const found = bySession.get(sessionId);
      const claimed = await found?.claim.catch(() => undefined);
      const isTarget = claimed?.message.platformMessageId === platformMessageId;
      if (isTarget && !found?.turn?.isVisibleOnPlatform()) found?.abort.abort(MESSAGE_RECALLED);
    },
    abort(sessionId, traceId) {
      const found = bySession.get(sessionId);
      if (!found || (traceId !== undefined && found.item.traceId !== traceId)) return [];
      found.abort.abort(new DOMException("stopped by the user", "AbortError"));
      return [found.item.traceId];
    },
    counts: () => ({ ...state.counts, storageError: storageHealth.getError() }),
    watchWrite: storageHealth.watchWrite,
    unsettled: recovery.unsettled,
    stop: recovery.stop,
  };
}

function startTurn(
  state: RunningTurnsState,
  item: QueueItem,
  claim: Promise<ClaimedMessage | undefined>,
  ended: (active: ActiveTurnState) => void,
): ActiveTurnState {
  const abort = new AbortController();
  const runToEnd = async () => {
    let claimed: ClaimedMessage | undefined;
    try {
      claimed = await claim;
      if (claimed) {
        // Acknowledgements of the same commit are sent first.
        await setImmediate();
        await runClaimed(state, one, claimed);
      }
      state.storageHealth.markHealthy();
    } catch (error) {
      state.counts.errors += 1;
      await state.recovery.onFailed(item, claimed, error as Error);
    } finally {
      ended(one);
      state.onFinished();
    }
  };
  const one: ActiveTurnState = {
    item,
    claim,
    abort,
    startedMs: state.clock.now(),
    turn: undefined,
    ended: Promise.resolve(),
  };
  one.ended = runToEnd();
  return one;
}

async function runClaimed(
  { processor, queue, clock, failPoint, recovery, counts, recordDuration }: RunningTurnsState,
  active: ActiveTurnState,
  claimed: ClaimedMessage,
) {
  const { item, abort } = active;
  failPoint("leased");
  counts.turns += 1;
  const startedMs = clock.monotonic();
  const started = (turn: StartedTurn) => {
    active.turn = turn;
  };
  const { retryInMs } = await processor.process(item, { claimed, abort, onStarted: started });
  recordDuration(Math.max(1, Math.round((clock.monotonic() - startedMs) * 1000)));
  recovery.onProcessed(item.id);
  if (retryInMs !== undefined) queue.retry(toRestarted(item), retryInMs);
}

function toRunningTurn(active: ActiveTurnState | undefined): RunningTurn | undefined {
  if (!active) return undefined;
  const initialState = { traceId: active.item.traceId, stage: "prepare", messageId: null, sender: "", text: "" };
  return { ...(active.turn?.state() ?? initialState), startedAt: new Date(active.startedMs).toISOString() };
}
