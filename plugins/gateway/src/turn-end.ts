import {
  AppError,
  type Clock,
  explainedAs,
  type InboundMessage,
  inBothLanguages,
  isStorageBusy,
  type Localized,
  type Logger,
  type Turn,
  toldFailure,
  writesOf,
} from "@parley/core";
import { deliveriesOf, isBrokenOff, noticeOf } from "./deliveries.ts";
import type { LogEntry } from "./event-log.ts";
import { endItem, type ItemEndParts } from "./item-end.ts";
import { entryFor } from "./item-entry.ts";
import type { Outbox } from "./outbox.ts";
import { type Claimed, STALE_MS, type WaitingItem } from "./store/inbox.ts";
import type { Delivery } from "./store/outbox.ts";
import type { GatewayStore } from "./store.ts";
import { noOutcome, outcomeOf } from "./turn-outcome.ts";
import type { StartedTurn } from "./turn-runner.ts";

/** Waits between the tries of a turn whose model cannot be reached. */
const TRY_AGAIN_MS = [5_000, 30_000] as const;
/** Waits while storage refuses: from a second on, doubling, until the message is too old. */
const storageWaitMs = (tries: number) => Math.min(30_000, 1_000 * 2 ** tries);
/** Failures that another try may mend. */
const TRANSIENT = new Set(["upstream_failed", "unavailable", "timed_out", "rate_limited"]);

/** Why an answered message has not all of its answer. */
const BROKE_OFF = "broke_off";

const UNFORESEEN: Localized = { en: "the message could not be answered", zh: "无法回答此消息" };

export interface TurnEndParts extends ItemEndParts {
  readonly store: GatewayStore;
  readonly outbox: Outbox;
  readonly logger: Logger;
  readonly clock: Clock;
  /** What people on a channel are told when their message could not be answered; empty: nothing. */
  readonly errorReply: string | Localized;
  /** What stands below an answer that broke off; empty: nothing. */
  readonly cutReply: string | Localized;
}

/** A turn on its way to its end. */
export interface TurnAtEnd {
  readonly item: WaitingItem;
  readonly claimed: Claimed;
  readonly turn: StartedTurn;
}

/** It ran to its end, with an answer or without one. */
export async function completeTurn(parts: TurnEndParts, { item, claimed, turn: started }: TurnAtEnd, turn: Turn) {
  const { message, fence } = claimed;
  const state = stateOf(turn, message);
  const isUnanswered = state === "blocked" || state === "stopped";
  const { outbox, clock, cutReply } = parts;
  const wire = { link: outbox.link, nowMs: clock.now(), cutReply };
  const deliveries = isAnswered(turn)
    ? deliveriesOf(turn, await started.draftId(), wire)
    : toldOf(turn, message, clock.now());
  const left = isUnanswered ? await started.unanswered(null) : [];
  const isBuilt = state === "answered" && deliveries.length === 0;
  const how = isBuilt ? "built" : state === "blocked" ? "filtered" : "completed";
  return endItem(parts, {
    itemId: item.id,
    fence,
    state: state === "ignored" ? "ignored" : "done",
    outcome: outcomeOf(turn, state),
    effects: await started.effects(turn, !isUnanswered, left),
    hasDraft: started.hasDraft(),
    deliveries,
    entry: endEntry(entryFor(item, message), turn, how, state, started.times()),
    ...(state === "answered" && turn.replies.some(isBrokenOff) && { cause: BROKE_OFF }),
  });
}

/** How its end is told: an answer that was cut is not told as a whole one. */
function endEntry(
  entry: ReturnType<typeof entryFor>,
  turn: Turn,
  how: string,
  state: string,
  phases: ReturnType<StartedTurn["times"]>,
): LogEntry {
  const { cut, error } = turn.replies.at(-1) ?? {};
  const metadata = { what: "times", phases };
  if (state !== "answered" || cut === undefined || cut === "length")
    return { ...entry(how, `the turn is over: ${state}`), metadata };
  if (cut === "user") return { ...entry("stopped", "the turn is over: stopped"), metadata };
  const { code, error: message, detail } = error ?? { code: "timed_out", error: "the turn took too long" };
  const said = cut === "error" ? "the answer broke off" : message;
  const why = inBothLanguages(message, detail);
  return { ...entry("dispatch_failed", said), error: { code, message }, metadata: { ...metadata, why } };
}

/** What the sender of a message that is not answered is told of it. */
function toldOf({ stopped, traceId }: Turn, message: InboundMessage, nowMs: number) {
  const { told = "" } = stopped ?? {};
  return told !== "" && message.addressed && isOfChannel(message) ? noticeOf(traceId, message, told, nowMs) : [];
}

function isAnswered({ replies, stopped }: Turn): boolean {
  return replies.length > 0 && !stopped;
}

function stateOf(turn: Turn, { addressed, kind }: InboundMessage) {
  if (turn.filter.blocked || turn.stopped?.reason === "filtered") return "blocked";
  if (isAnswered(turn)) return "answered";
  return addressed && (kind === "message" || kind === "regenerate") ? "stopped" : "ignored";
}

/** A person stopped it before anything was said. */
export async function stopTurn(parts: TurnEndParts, { item, claimed }: Omit<TurnAtEnd, "turn">, turn?: StartedTurn) {
  const left = (await turn?.unanswered(null)) ?? [];
  return endItem(parts, {
    itemId: item.id,
    fence: claimed.fence,
    state: "stopped",
    outcome: noOutcome(item.traceId, "stopped"),
    effects: (await turn?.effects(undefined, false, left)) ?? [],
    entry: entryFor(item, claimed.message)("stopped", "stopped before anything was said"),
    hasDraft: turn?.hasDraft() ?? false,
  });
}

/** Back to its place in the queue, with what the run leaves. */
export async function releaseTurn({ store }: TurnEndParts, item: WaitingItem, fence: number, turn?: StartedTurn) {
  await store.release(item.id, fence, writesOf((await turn?.effects(undefined, false)) ?? []));
}

/** It failed: tried again where that may help, else over. */
export function createTurnFailure(parts: TurnEndParts) {
  const tries = new Map<string, number>();
  /** Milliseconds until it should be tried again; undefined: it should not. */
  const waitOf = ({ item, claimed }: TurnAtEnd, cause: unknown, { code, isLasting }: AppError): number | undefined => {
    const count = tries.get(item.id) ?? 0;
    const isMended = TRANSIENT.has(code) && !isLasting && isOfChannel(claimed.message);
    const wait = isStorageBusy(cause) ? storageWaitMs(count) : isMended ? TRY_AGAIN_MS[count] : undefined;
    if (wait === undefined) return undefined;
    return parts.clock.monotonic() - item.sinceMs + wait < STALE_MS ? wait : undefined;
  };
  return {
    /** Nothing is counted against it any more. */
    over: (itemId: string) => void tries.delete(itemId),
    async failed(at: TurnAtEnd, cause: unknown): Promise<{ readonly retryInMs?: number }> {
      const { item, claimed, turn } = at;
      const failure = failureOf(cause);
      const { code, message: reason } = failure;
      if (!AppError.is(cause)) parts.logger.error("a turn failed", { traceId: item.traceId, error: cause });
      const retryInMs = waitOf(at, cause, failure);
      if (retryInMs === undefined) {
        tries.delete(item.id);
        if (AppError.is(cause))
          parts.logger.warn("a message was not answered", { traceId: item.traceId, code, reason });
        return endFailed(parts, at, failure);
      }
      tries.set(item.id, (tries.get(item.id) ?? 0) + 1);
      const said = `${failure.message}; tried again in ${retryInMs / 1000} s`;
      parts.log.add(entryFor(item, claimed.message)("dispatch_failed", said, failure));
      await releaseTurn(parts, item, claimed.fence, turn);
      return { retryInMs };
    },
  };
}

async function endFailed(parts: TurnEndParts, { item, claimed, turn }: TurnAtEnd, failure: AppError) {
  const { errorReply, clock } = parts;
  const { message, fence } = claimed;
  const { code, message: reason } = failure;
  const error = toldFailure(failure);
  const left = await turn.unanswered(error);
  const isTold = isOfChannel(message) && errorReply !== "";
  return endItem(parts, {
    itemId: item.id,
    fence,
    state: "failed",
    outcome: noOutcome(item.traceId, "failed", error),
    effects: await turn.effects(undefined, false, left),
    hasDraft: turn.hasDraft(),
    deliveries: isTold ? noticeOf(item.traceId, message, errorReply, clock.now()) : [],
    entry: entryFor(item, message)("dispatch_failed", reason, failure),
    cause: code,
  });
}

/** Tells the sender of a dead letter on a channel; nothing where no answer was due. */
export function noticeOfDead(
  { errorReply, clock }: Pick<TurnEndParts, "errorReply" | "clock">,
  traceId: string,
  message: InboundMessage,
): readonly Delivery[] {
  const isDue = isOfChannel(message) && message.addressed && message.kind === "message" && errorReply !== "";
  const nowMs = clock.now();
  // It takes no answer's place: the message may be answered, or end as a dead letter, again when a person retries it.
  return isDue ? noticeOf(traceId, message, errorReply, nowMs, -nowMs) : [];
}

function failureOf(cause: unknown): AppError {
  return AppError.is(cause) ? cause : explainedAs("internal", "gateway.unforeseen", UNFORESEEN);
}

export function isOfChannel({ source, channelId }: InboundMessage): boolean {
  return source === channelId && channelId !== "web";
}
