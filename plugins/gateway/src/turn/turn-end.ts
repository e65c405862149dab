import {
  AppError,
  type Clock,
  collectWrites,
  type InboundMessage,
  type ItemFailure,
  isOverBudget,
  isStorageBusy,
  type Localized,
  type Logger,
  type Turn,
  toItemFailure,
  toLocalized,
  toLocalizedError,
  toTraceMessage,
} from "@parley/core";
import { buildDeliveries, buildNotice, isInterrupted } from "../deliver/deliveries.ts";
import type { Outbox } from "../deliver/outbox.ts";
import type { LogEntry } from "../observe/event-log.ts";
import { createLogEntryBuilder } from "../observe/message-log-entry.ts";
import type { Delivery } from "../store/delivery.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import { type ClaimedMessage, type QueueItem, STALE_MS } from "../store/inbox.ts";
import { gatewayTexts } from "../texts.ts";
import { type FinishMessageDeps, finishMessage } from "./finish-message.ts";
import type { StartedTurn } from "./run/turn-runner.ts";
import { createEmptyOutcome, toTurnOutcome } from "./turn-outcome.ts";
import {
  describeUnanswered,
  findUnansweredCause,
  toUnansweredReason,
  type UnansweredCause,
} from "./unanswered-reason.ts";

/** Delays before the retries of a turn that failed for a transient reason. */
const RETRY_DELAYS_MS = [5_000, 30_000] as const;
/** Returns the retry delay while the storage fails: a second, doubled with each try, at most 30 s. */
const getStorageRetryMs = (tries: number) => Math.min(30_000, 1_000 * 2 ** tries);
/** Error codes of failures that a retry may resolve. */
const TRANSIENT_CODES = new Set(["upstream_failed", "unavailable", "timed_out", "rate_limited"]);

/** Stored cause of an incomplete reply. */
const INTERRUPTED_CAUSE = "broke_off" as const;

export interface TurnEndDeps extends FinishMessageDeps {
  readonly store: GatewayStore;
  readonly outbox: Outbox;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Notice for people on a channel whose message could not be answered; an empty string disables it. */
  readonly errorReply: string | Localized;
  /** Text below an interrupted reply; an empty string disables it. */
  readonly cutReply: string | Localized;
}

/** A turn that is about to end. */
export interface EndingTurn {
  readonly item: QueueItem;
  readonly claimed: ClaimedMessage;
  readonly turn: StartedTurn;
}

/** Ends a turn that ran through all its phases, with or without a reply. */
export async function completeTurn(deps: TurnEndDeps, { item, claimed, turn: started }: EndingTurn, turn: Turn) {
  const { message, fence } = claimed;
  const state = getTurnState(turn);
  const cause = findCause(turn, state, message);
  const isUnanswered = state === "blocked" || state === "stopped";
  const { outbox, clock, cutReply } = deps;
  const deliveryOptions = { link: outbox.link, nowMs: clock.now(), cutReply };
  const deliveries = isAnswered(turn)
    ? buildDeliveries(turn, await started.endDraft(), deliveryOptions)
    : buildStopNotice(turn, clock.now());
  const reason = toUnansweredReason({ state: "done", cause: cause ?? null });
  const stageEffects = reason ? await started.endUnanswered(null, reason, turn) : [];
  const isBuilt = state === "answered" && deliveries.length === 0;
  const status = isBuilt ? "built" : state === "blocked" ? "filtered" : "completed";
  return finishMessage(deps, {
    itemId: item.id,
    fence,
    state: state === "ignored" ? "ignored" : "done",
    outcome: toTurnOutcome(turn, state),
    effects: await started.effects(turn, !isUnanswered, stageEffects),
    hasDraft: started.hasDraft(),
    deliveries,
    isWithdrawn: state === "blocked",
    entry: createEndEntry(createLogEntryBuilder(item, message), {
      turn,
      status,
      state,
      cause,
      phases: started.getPhaseTimes(),
    }),
    ...(cause && { cause }),
  });
}

/** Returns the stored cause of an incomplete or missing answer; undefined when the answer is complete. */
function findCause(turn: Turn, state: TurnState, message: InboundMessage) {
  if (state !== "answered") return findUnansweredCause(state, turn, message);
  if (turn.replies.every(({ kind, text }) => kind === "command" && text === "")) return "command" as const;
  return turn.replies.some(isInterrupted) ? INTERRUPTED_CAUSE : undefined;
}

interface EndedTurn {
  readonly turn: Turn;
  readonly status: string;
  readonly state: TurnState;
  readonly cause: UnansweredCause | typeof INTERRUPTED_CAUSE | undefined;
  readonly phases: ReturnType<StartedTurn["getPhaseTimes"]>;
}

/** Builds the log entry for the end of a turn. An interrupted reply is not logged as complete. */
function createEndEntry(
  entry: ReturnType<typeof createLogEntryBuilder>,
  { turn, status, state, cause, phases }: EndedTurn,
): LogEntry {
  const { cut, error } = turn.replies.at(-1) ?? {};
  const metadata = { what: "times", phases };
  if (state !== "answered" && cause !== undefined && cause !== INTERRUPTED_CAUSE) {
    const why = describeUnanswered(cause);
    return { ...entry(status, gatewayTexts.message("trace_unanswered", { why })), metadata };
  }
  if (state !== "answered" || cut === undefined || cut === "length")
    return { ...entry(status, TURN_OVER[state]), metadata };
  if (cut === "user") return { ...entry("stopped", TURN_OVER.stopped), metadata };
  const failure = error ?? { code: "timed_out", ...gatewayTexts.message("too_late") };
  const text = cut === "error" ? gatewayTexts.message("trace_broke_off") : failure;
  return { ...entry("dispatch_failed", text), error: { code: failure.code, ...toTraceMessage(failure) }, metadata };
}

/** Builds the notice for the sender of a blocked message. */
function buildStopNotice({ stopped, traceId, inbound }: Turn, nowMs: number) {
  const { told: notice = "" } = stopped ?? {};
  return notice !== "" && inbound.addressed && isFromChannel(inbound)
    ? buildNotice(traceId, inbound, notice, nowMs)
    : [];
}

function isAnswered({ replies, stopped }: Turn): boolean {
  return replies.length > 0 && !stopped;
}

type TurnState = "blocked" | "answered" | "stopped" | "ignored";

const createTurnOver = (state: TurnState) =>
  gatewayTexts.message("trace_over", { state: gatewayTexts.localized(`state_${state}`) });
/** Messages for the end of a turn, by its state. */
const TURN_OVER: Readonly<Record<TurnState, ItemFailure>> = {
  blocked: createTurnOver("blocked"),
  answered: createTurnOver("answered"),
  stopped: createTurnOver("stopped"),
  ignored: createTurnOver("ignored"),
};

function getTurnState(turn: Turn): TurnState {
  const { addressed, kind } = turn.inbound;
  if (turn.filter.blocked || turn.stopped?.reason === "filtered") return "blocked";
  if (isAnswered(turn)) return "answered";
  return addressed && (kind === "message" || kind === "regenerate") ? "stopped" : "ignored";
}

/** Ends a turn that was stopped before its reply began. */
export async function stopTurn(
  deps: TurnEndDeps,
  { item, claimed }: Omit<EndingTurn, "turn">,
  { turn, isWithdrawn = false }: { readonly turn?: StartedTurn; readonly isWithdrawn?: boolean } = {},
) {
  const stageEffects = (await turn?.endUnanswered(null, "stopped")) ?? [];
  return finishMessage(deps, {
    itemId: item.id,
    fence: claimed.fence,
    state: "stopped",
    outcome: createEmptyOutcome(item.traceId, "stopped"),
    effects: (await turn?.effects(undefined, false, stageEffects)) ?? [],
    entry: createLogEntryBuilder(item, claimed.message)("stopped", gatewayTexts.message("trace_stopped_early")),
    isWithdrawn,
    hasDraft: turn?.hasDraft() ?? false,
  });
}

/** Returns the message to its place in the queue, and stores the run's effects that are independent of a reply. */
export async function releaseTurn({ store }: TurnEndDeps, item: QueueItem, fence: number, turn?: StartedTurn) {
  await store.release(item.id, fence, collectWrites((await turn?.effects(undefined, false)) ?? []));
}

/** Creates the handler of failed turns: a turn is retried if that may help, else it ends. */
export function createFailureHandler(deps: TurnEndDeps) {
  const tries = new Map<string, number>();
  /** Returns the milliseconds until the next attempt; undefined when the turn should not be retried. */
  const getRetryMs = (
    { item, claimed }: EndingTurn,
    cause: unknown,
    { code, isLasting }: AppError,
  ): number | undefined => {
    const count = tries.get(item.id) ?? 0;
    const isRetryable = TRANSIENT_CODES.has(code) && !isLasting && isFromChannel(claimed.message);
    const wait = isStorageBusy(cause) ? getStorageRetryMs(count) : isRetryable ? RETRY_DELAYS_MS[count] : undefined;
    if (wait === undefined) return undefined;
    return deps.clock.monotonic() - item.sinceMs + wait < STALE_MS ? wait : undefined;
  };
  return {
    /** Forgets the attempts of a message. */
    onFinished: (itemId: string) => void tries.delete(itemId),
    async handle(ending: EndingTurn, cause: unknown): Promise<{ readonly retryInMs?: number }> {
      const { item, claimed, turn } = ending;
      const failure = toAppError(cause);
      const { code, message: reason } = failure;
      if (!AppError.is(cause)) deps.logger.error("a turn failed", { traceId: item.traceId, error: cause });
      const retryInMs = getRetryMs(ending, cause, failure);
      if (retryInMs === undefined) {
        tries.delete(item.id);
        if (AppError.is(cause)) deps.logger.warn("a message was not answered", { traceId: item.traceId, code, reason });
        return finishFailed(deps, ending, failure);
      }
      tries.set(item.id, (tries.get(item.id) ?? 0) + 1);
      const text = gatewayTexts.message("trace_retry", { why: toLocalized(failure), seconds: retryInMs / 1000 });
      deps.log.add(createLogEntryBuilder(item, claimed.message)("dispatch_failed", text, failure));
      await releaseTurn(deps, item, claimed.fence, turn);
      return { retryInMs };
    },
  };
}

async function finishFailed(deps: TurnEndDeps, { item, claimed, turn }: EndingTurn, failure: AppError) {
  const { errorReply, clock } = deps;
  const { message, fence } = claimed;
  const { code } = failure;
  const error = toLocalizedError(failure);
  const reason = isOverBudget(failure) ? "budget" : "failed";
  const stageEffects = await turn.endUnanswered(error, reason);
  // A budget has its own message for the person.
  const notice = reason === "budget" ? toLocalized(failure) : errorReply;
  const shouldNotify = isFromChannel(message) && notice !== "";
  return finishMessage(deps, {
    itemId: item.id,
    fence,
    state: "failed",
    outcome: createEmptyOutcome(item.traceId, "failed", error),
    effects: await turn.effects(undefined, false, stageEffects),
    hasDraft: turn.hasDraft(),
    deliveries: shouldNotify ? buildNotice(item.traceId, message, notice, clock.now()) : [],
    entry: createLogEntryBuilder(item, message)("dispatch_failed", toItemFailure(failure), failure),
    cause: reason === "budget" ? reason : code,
  });
}

/** Builds the notice for the sender of a dead-lettered message on a channel; empty when no reply was due. */
export function buildDeadLetterNotice(
  { errorReply, clock }: Pick<TurnEndDeps, "errorReply" | "clock">,
  traceId: string,
  message: InboundMessage,
): readonly Delivery[] {
  const isDue = isFromChannel(message) && message.addressed && message.kind === "message" && errorReply !== "";
  const nowMs = clock.now();
  // The notice has a unique index: after a manual retry the message may still be answered, or be dead-lettered again.
  return isDue ? buildNotice(traceId, message, errorReply, nowMs, -nowMs) : [];
}

function toAppError(cause: unknown): AppError {
  return AppError.is(cause) ? cause : gatewayTexts.error("internal", "unforeseen");
}

export function isFromChannel({ source, channelId }: InboundMessage): boolean {
  return source === channelId && channelId !== "web";
}
