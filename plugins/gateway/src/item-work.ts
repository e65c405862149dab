import {
  AppError,
  explainedAs,
  type Localized,
  RUN_TIMEOUT_S,
  type Settings,
  type ToldFailure,
  toldFailure,
} from "@parley/core";
import type { DelayNotices } from "./delay-notices.ts";
import { endItem } from "./item-end.ts";
import { entryFor } from "./item-entry.ts";
import { TURN_TIMEOUT_S } from "./settings.ts";
import { PAUSED, STOPPING, WITHDRAWN } from "./shutdown.ts";
import { type Claimed, STALE_MS, type WaitingItem } from "./store/inbox.ts";
import { runTask, type TaskItemParts } from "./task-item.ts";
import {
  completeTurn,
  createTurnFailure,
  noticeOfDead,
  releaseTurn,
  stopTurn,
  type TurnAtEnd,
  type TurnEndParts,
} from "./turn-end.ts";
import { noOutcome } from "./turn-outcome.ts";
import type { StartedTurn, TurnRunner } from "./turn-runner.ts";
import { showTyping } from "./typing.ts";

const MAX_RUNS = 3;
const GRACE_MS = 10_000;

export interface ItemWorkParts extends TurnEndParts, Omit<TaskItemParts, keyof TurnEndParts> {
  readonly notices: Pick<DelayNotices, "begun" | "over">;
  readonly runner: Pick<TurnRunner, "start" | "endUnrun">;
  readonly settings: Settings;
}

const WHY_DEAD = {
  crash_loop: { en: "the process crashed repeatedly on this message", zh: "此消息反复导致进程中断" },
  internal: { en: "the service could not process the message", zh: "服务无法处理此消息" },
} as const satisfies Readonly<Record<string, Localized>>;
const TOO_LATE: Localized = { en: "the turn took too long", zh: "处理超时" };

export interface ItemRun {
  readonly claimed: Claimed;
  readonly abort: AbortController;
  started(turn: StartedTurn): void;
}

/** Undefined `retryInMs`: it is over, or left to its lease; else it is free again and wants another try then. */
interface Worked {
  readonly retryInMs?: number;
}

/** From a claimed message to its stored end. */
export interface ItemWork {
  /** Runs the turn and stores what it came to. */
  run(item: WaitingItem, run: ItemRun): Promise<Worked>;
  /** Ends a message on which this service itself fails again and again. */
  giveUp(item: WaitingItem, claimed: Claimed): Promise<unknown>;
  /** Ends a message that waits and will not run. */
  drop(item: WaitingItem, why: string): Promise<void>;
}

interface Work extends ItemWorkParts {
  readonly failure: ReturnType<typeof createTurnFailure>;
}

export function createItemWork(parts: ItemWorkParts): ItemWork {
  const work: Work = { ...parts, failure: createTurnFailure(parts) };
  return {
    async run(item, run) {
      const worked = await runItem(work, item, run);
      if (worked.retryInMs === undefined) parts.notices.over(item);
      return worked;
    },
    giveUp(item, claimed) {
      parts.notices.over(item);
      return endDead(work, item, claimed, "internal");
    },
    async drop(item, why) {
      const { id: itemId, traceId, channelId } = item;
      parts.notices.over(item);
      const entry = { traceId, status: "stopped", message: why, channelId, itemId };
      await endItem(parts, { itemId, fence: 0, state: "stopped", outcome: noOutcome(traceId, "stopped"), entry });
    },
  };
}

async function runItem(work: Work, item: WaitingItem, run: ItemRun): Promise<Worked> {
  const { settings, clock, log } = work;
  const { claimed, abort } = run;
  const { message, fence, draft } = claimed;
  if (fence > MAX_RUNS) return endDead(work, item, claimed, "crash_loop");
  const isStale = clock.monotonic() - item.sinceMs > STALE_MS && draft === undefined;
  if (isStale) return endExpired(work, item, claimed);
  if (abort.signal.aborted) return abortedEarly(work, item, claimed, abort.signal.reason);
  log.add(entryFor(item, message)("dispatched", "the turn begins"));
  const isTask = message.kind === "task";
  const timeoutMs = settings.get(isTask ? RUN_TIMEOUT_S : TURN_TIMEOUT_S) * 1000;
  const timer = setTimeout(() => abort.abort(explainedAs("timed_out", "gateway.too_late", TOO_LATE)), timeoutMs);
  try {
    return await (isTask ? runTask(work, item, claimed, abort.signal) : runTurn(work, item, run));
  } finally {
    clearTimeout(timer);
  }
}

async function abortedEarly(work: Work, item: WaitingItem, claimed: Claimed, reason: unknown): Promise<Worked> {
  if (reason === STOPPING) return {};
  if (reason !== PAUSED) return stopTurn(work, { item, claimed });
  await releaseTurn(work, item, claimed.fence);
  return { retryInMs: 0 };
}

async function runTurn(work: Work, item: WaitingItem, { claimed, abort, started }: ItemRun): Promise<Worked> {
  const { runner, outbox, logger, failure } = work;
  const { traceId, id: itemId } = item;
  const { signal } = abort;
  const turn = runner.start({ ...claimed, traceId, itemId, isRepeated: !item.isFirst, signal });
  const at = { item, claimed, turn };
  started(turn);
  work.notices.begun(item, claimed.message, turn.isSeen);
  const hideTyping = showTyping(claimed.message, outbox.link(claimed.message.channelId), logger);
  try {
    const ended = await withGrace(turn.ended, signal);
    if (signal.reason === WITHDRAWN) throw WITHDRAWN;
    const worked = await completeTurn(work, at, ended);
    failure.over(itemId);
    return worked;
  } catch (error) {
    return await endWithoutAnswer(work, at, signal, error);
  } finally {
    hideTyping();
  }
}

/** Stopped, set aside or failed. */
async function endWithoutAnswer(work: Work, at: TurnAtEnd, signal: AbortSignal, error: unknown): Promise<Worked> {
  const { item, claimed, turn } = at;
  if (signal.reason === STOPPING) return {};
  if (signal.reason === PAUSED) {
    await releaseTurn(work, item, claimed.fence, turn);
    return { retryInMs: 0 };
  }
  const isWithdrawn = signal.reason === WITHDRAWN;
  // What is about to be shown of an answer must not come after all.
  if (isWithdrawn) await turn.draftId();
  const isStopped = isWithdrawn || (signal.aborted && !AppError.is(signal.reason));
  return isStopped ? stopTurn(work, at, turn) : work.failure.failed(at, error);
}

async function endExpired(work: Work, item: WaitingItem, { message, fence }: Claimed): Promise<Worked> {
  return endItem(work, {
    itemId: item.id,
    fence,
    state: "expired",
    outcome: noOutcome(item.traceId, "expired"),
    entry: entryFor(item, message)("expired", "waited too long"),
  });
}

/** Ends a message as a dead letter and tells its sender that it was not answered. */
async function endDead(work: Work, item: WaitingItem, claimed: Claimed, why: keyof typeof WHY_DEAD): Promise<Worked> {
  const { message, fence } = claimed;
  const error = toldFailure(explainedAs("internal", `gateway.${why}`, WHY_DEAD[why]));
  return endItem(work, {
    itemId: item.id,
    fence,
    state: "dead",
    outcome: noOutcome(item.traceId, "failed", error),
    entry: entryFor(item, message)("dead", why),
    cause: why,
    effects: await effectsOfDead(work, item, claimed, error),
    deliveries: noticeOfDead(work, item.traceId, message),
  });
}

async function effectsOfDead(work: Work, item: WaitingItem, claimed: Claimed, error: ToldFailure) {
  // Telling must not become what ends the process: once it is tried.
  if (claimed.message.kind === "task" || claimed.fence > MAX_RUNS + 1) return [];
  try {
    return await work.runner.endUnrun({ ...claimed, traceId: item.traceId }, error);
  } catch (cause) {
    work.logger.error("it could not be told that a message is not answered", { traceId: item.traceId, error: cause });
    return [];
  }
}

/** A stage that does not heed its signal must not hold its session for ever. */
async function withGrace<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const arm = () => {
      timer = setTimeout(() => reject(signal.reason), GRACE_MS);
    };
    if (signal.aborted) arm();
    else signal.addEventListener("abort", arm, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
