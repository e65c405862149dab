import {
  AppError,
  type ItemFailure,
  type LocalizedError,
  RUN_TIMEOUT_S,
  type Settings,
  type Turn,
  toLocalizedError,
  toTraceMessage,
} from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import { createLogEntryBuilder } from "../observe/message-log-entry.ts";
import { TURN_TIMEOUT_S } from "../settings.ts";
import { type ClaimedMessage, type QueueItem, STALE_MS } from "../store/inbox.ts";
import { gatewayTexts } from "../texts.ts";
import { AnsweredLater } from "./bursts/answered-later.ts";
import type { Bursts } from "./bursts/bursts.ts";
import type { DelayNotices } from "./delay-notices.ts";
import { finishMessage } from "./finish-message.ts";
import { type ProcessTaskDeps, processTask } from "./run/process-task.ts";
import type { StartedTurn, TurnRunner } from "./run/turn-runner.ts";
import { showTyping } from "./run/typing-indicator.ts";
import { MESSAGE_RECALLED, PAUSED, STOPPING } from "./shutdown.ts";
import {
  buildDeadLetterNotice,
  completeTurn,
  createFailureHandler,
  type EndingTurn,
  releaseTurn,
  stopTurn,
  type TurnEndDeps,
} from "./turn-end.ts";
import { createEmptyOutcome } from "./turn-outcome.ts";

const TURN_BEGINS = gatewayTexts.message("trace_begins");
const MAX_RUNS = 3;
const GRACE_MS = 10_000;

export interface MessageProcessorDeps extends TurnEndDeps, Omit<ProcessTaskDeps, keyof TurnEndDeps> {
  readonly notices: Pick<DelayNotices, "onStarted" | "onFinished">;
  readonly runner: Pick<TurnRunner, "start" | "endWithoutTurn">;
  readonly settings: Settings;
  readonly bursts: Bursts;
}

export interface MessageRun {
  readonly claimed: ClaimedMessage;
  readonly abort: AbortController;
  onStarted(turn: StartedTurn): void;
}

/** Result of one run; `retryInMs` is set when the message was released and is retried after that time. */
interface ProcessingResult {
  readonly retryInMs?: number;
}

/** Processes one claimed inbox message and stores its outcome. */
export interface MessageProcessor {
  /** Runs the turn and stores its outcome. */
  process(item: QueueItem, run: MessageRun): Promise<ProcessingResult>;
  /** Dead-letters a message when the service itself fails on it repeatedly. */
  deadLetter(item: QueueItem, claimed: ClaimedMessage): Promise<unknown>;
  /** Ends a waiting message that will not run; with `isWithdrawn`, messages that wait for its answer get one of their own. */
  drop(item: QueueItem, reason: ItemFailure, options?: { readonly isWithdrawn: boolean }): Promise<void>;
}

interface ProcessorState extends MessageProcessorDeps {
  readonly failureHandler: ReturnType<typeof createFailureHandler>;
}

export function createMessageProcessor(deps: MessageProcessorDeps): MessageProcessor {
  const state: ProcessorState = { ...deps, failureHandler: createFailureHandler(deps) };
  return {
    async process(item, run) {
      try {
        const result = await processMessage(state, item, run);
        if (result.retryInMs === undefined) deps.notices.onFinished(item);
        return result;
      } finally {
        deps.bursts.onTurnEnded(item);
      }
    },
    deadLetter(item, claimed) {
      deps.notices.onFinished(item);
      return finishDead(state, item, claimed, "internal");
    },
    async drop(item, reason, { isWithdrawn } = { isWithdrawn: false }) {
      const { id: itemId, traceId, channelId } = item;
      deps.notices.onFinished(item);
      const entry = { traceId, status: "stopped", ...toTraceMessage(reason), channelId, itemId };
      await finishMessage(deps, {
        itemId,
        fence: 0,
        state: "stopped",
        outcome: createEmptyOutcome(traceId, "stopped"),
        entry,
        isWithdrawn,
      });
    },
  };
}

async function processMessage(state: ProcessorState, item: QueueItem, run: MessageRun): Promise<ProcessingResult> {
  const { settings, clock, log } = state;
  const { claimed, abort } = run;
  const { message, fence, draft } = claimed;
  if (fence > MAX_RUNS) return finishDead(state, item, claimed, "crash_loop");
  const isStale = clock.monotonic() - item.sinceMs > STALE_MS && draft === undefined;
  if (isStale) return finishExpired(state, item, claimed);
  if (abort.signal.aborted) return handleEarlyAbort(state, item, claimed, abort.signal.reason);
  log.add(createLogEntryBuilder(item, message)("dispatched", TURN_BEGINS));
  const isTask = message.kind === "task";
  const timeoutMs = settings.get(isTask ? RUN_TIMEOUT_S : TURN_TIMEOUT_S) * 1000;
  const timer = setTimeout(() => abort.abort(gatewayTexts.error("timed_out", "too_late")), timeoutMs);
  try {
    return await (isTask ? processTask(state, item, claimed, abort.signal) : runTurn(state, item, run));
  } finally {
    clearTimeout(timer);
  }
}

async function handleEarlyAbort(
  state: ProcessorState,
  item: QueueItem,
  claimed: ClaimedMessage,
  reason: unknown,
): Promise<ProcessingResult> {
  if (reason === STOPPING) return {};
  if (reason !== PAUSED) return stopTurn(state, { item, claimed });
  await releaseTurn(state, item, claimed.fence);
  return { retryInMs: 0 };
}

async function runTurn(
  state: ProcessorState,
  item: QueueItem,
  { claimed, abort, onStarted }: MessageRun,
): Promise<ProcessingResult> {
  const { runner, outbox, logger, failureHandler } = state;
  const { traceId, id: itemId } = item;
  const { signal } = abort;
  let hideTyping = () => {};
  const beforeAnswer = async (now: Turn) => {
    await gather(state, item, { abort, now, started: turn });
    hideTyping = showTyping(now.inbound, outbox.link(now.inbound.channelId), logger);
  };
  const turn = runner.start({ ...claimed, traceId, itemId, isRepeated: !item.isFirst, signal, beforeAnswer });
  const ending = { item, claimed, turn };
  onStarted(turn);
  state.notices.onStarted(item, claimed.message, turn.isVisible);
  try {
    const ended = await raceWithSignal(turn.ended, signal, GRACE_MS);
    if (signal.reason === MESSAGE_RECALLED || signal.reason instanceof AnsweredLater) throw signal.reason;
    const result = await completeTurn(state, ending, ended);
    failureHandler.onFinished(itemId);
    return result;
  } catch (error) {
    return await finishWithoutAnswer(state, ending, signal, error);
  } finally {
    hideTyping();
  }
}

interface GatheringTurn {
  readonly abort: AbortController;
  readonly now: Turn;
  readonly started: StartedTurn;
}

/** Waits for further messages of the burst; see `Bursts.gather`. */
function gather({ bursts }: ProcessorState, item: QueueItem, { abort, now, started }: GatheringTurn) {
  const { inbound: message, session } = now;
  return bursts.gather({ item, message, session, abort, canStartOver: started.canStartOver });
}

/** Ends a message that was stopped, dropped or failed, without an answer. */
async function finishWithoutAnswer(
  state: ProcessorState,
  ending: EndingTurn,
  signal: AbortSignal,
  error: unknown,
): Promise<ProcessingResult> {
  const { item, claimed, turn } = ending;
  if (signal.reason === STOPPING) return {};
  if (signal.reason === PAUSED) {
    await releaseTurn(state, item, claimed.fence, turn);
    return { retryInMs: 0 };
  }
  if (signal.reason instanceof AnsweredLater) {
    await deferTurn(state, ending, signal.reason);
    return {};
  }
  const isRecalled = signal.reason === MESSAGE_RECALLED;
  // The streaming draft ends first, so that no update of it is sent after the deletion.
  if (isRecalled) await turn.endDraft();
  const isStopped = isRecalled || (signal.aborted && !AppError.is(signal.reason));
  if (!isStopped) return state.failureHandler.handle(ending, error);
  return stopTurn(state, ending, { turn, isWithdrawn: isRecalled });
}

/** Returns the message to the state in which it waits, until the turn of a later message of its burst has ended. */
async function deferTurn(state: ProcessorState, { item, claimed, turn }: EndingTurn, { later, reason }: AnsweredLater) {
  await turn.endDraft();
  await releaseTurn(state, item, claimed.fence, turn);
  state.recordings.take(item.traceId);
  state.bursts.defer({ item, message: claimed.message, reason, turn }, later);
  state.log.add(
    createLogEntryBuilder(item, claimed.message)("queued", gatewayTexts.message("trace_merged", { id: later.traceId })),
  );
}

async function finishExpired(
  state: ProcessorState,
  item: QueueItem,
  { message, fence }: ClaimedMessage,
): Promise<ProcessingResult> {
  return finishMessage(state, {
    itemId: item.id,
    fence,
    state: "expired",
    outcome: createEmptyOutcome(item.traceId, "expired"),
    entry: createLogEntryBuilder(item, message)("expired", gatewayTexts.message("trace_expired")),
    isWithdrawn: true,
  });
}

/** Ends a message as a dead letter and notifies its sender. */
async function finishDead(
  state: ProcessorState,
  item: QueueItem,
  claimed: ClaimedMessage,
  reason: "crash_loop" | "internal",
): Promise<ProcessingResult> {
  const { message, fence } = claimed;
  const error = toLocalizedError(gatewayTexts.error("internal", reason));
  return finishMessage(state, {
    itemId: item.id,
    fence,
    state: "dead",
    outcome: createEmptyOutcome(item.traceId, "failed", error),
    entry: createLogEntryBuilder(item, message)("dead", error),
    cause: reason,
    effects: await collectDeadLetterEffects(state, item, claimed, error),
    deliveries: buildDeadLetterNotice(state, item.traceId, message),
  });
}

async function collectDeadLetterEffects(
  state: ProcessorState,
  item: QueueItem,
  claimed: ClaimedMessage,
  error: LocalizedError,
) {
  // Notifies only once, so that a failing notification cannot end the process again and again.
  if (claimed.message.kind === "task" || claimed.fence > MAX_RUNS + 1) return [];
  try {
    return await state.runner.endWithoutTurn({ ...claimed, traceId: item.traceId }, error);
  } catch (cause) {
    state.logger.error("stages could not be notified that a message is not answered", {
      traceId: item.traceId,
      error: cause,
    });
    return [];
  }
}
