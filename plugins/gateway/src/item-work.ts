import {
  AppError,
  type Clock,
  type Effect,
  type InboundMessage,
  type Logger,
  type Settings,
  type Turn,
  tellApplied,
  writesOf,
} from "@parley/core";
import { deliveriesOf, noticeOf } from "./deliveries.ts";
import type { EventLog, LogEntry } from "./event-log.ts";
import type { FailPoint } from "./fail-point.ts";
import type { Outbox } from "./outbox.ts";
import type { Outcomes } from "./outcomes.ts";
import type { Recordings } from "./recording.ts";
import { RUN_TIMEOUT_S, TURN_TIMEOUT_S } from "./settings.ts";
import { type Claimed, type Ending, type GatewayStore, STALE_MS, type WaitingItem } from "./store.ts";
import type { TaskWork } from "./task-work.ts";
import { noOutcome, once, outcomeOf, type StartedTurn, type TurnRunner } from "./turn-runner.ts";
import { showTyping } from "./typing.ts";

const MAX_RUNS = 3;
const GRACE_MS = 10_000;
/** Waits between the tries of a turn whose model cannot be reached. */
const TRY_AGAIN_MS = [5_000, 30_000] as const;
/** Failures that another try may mend. */
const TRANSIENT = new Set(["upstream_failed", "unavailable", "timed_out", "rate_limited"]);

/** A turn that ends for this reason is left to its lease: the next start runs it again. */
export const STOPPING = new AppError("unavailable", "the service is stopping", { retryAfterS: 1 });

/** A turn that ends for this reason goes back to its place: the worker was stopped by hand. */
export const PAUSED = new AppError("unavailable", "the worker was stopped");

export interface ItemWorkParts {
  readonly store: GatewayStore;
  readonly outbox: Outbox;
  readonly runner: TurnRunner;
  readonly tasks: TaskWork;
  readonly outcomes: Outcomes;
  readonly log: EventLog;
  readonly recordings: Pick<Recordings, "take">;
  readonly logger: Logger;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly failPoint: FailPoint;
  /** What people on a channel are told when their message could not be answered; empty: nothing. */
  readonly errorReply: string;
}

const WHY_DEAD: Readonly<Record<string, string>> = {
  crash_loop: "the message ended the process again and again",
  internal: "the service could not work on the message",
};

interface EndOfItem extends Omit<Ending, "writes"> {
  readonly effects?: readonly Effect[];
  readonly entry: LogEntry;
}

export interface ItemRun {
  readonly claimed: Claimed;
  readonly abort: AbortController;
  started(turn: StartedTurn): void;
}

/** From a claimed message to its stored end. */
export interface ItemWork {
  /** Runs the turn and stores what it came to. `retryInMs`: it is free again and wants another try then. */
  run(item: WaitingItem, run: ItemRun): Promise<{ readonly retryInMs?: number }>;
  /** Ends a message on which this service itself fails again and again. */
  giveUp(item: WaitingItem, claimed: Claimed): Promise<unknown>;
  /** Ends a message that waits and will not run. */
  drop(item: WaitingItem, why: string): Promise<void>;
}

export function createItemWork(parts: ItemWorkParts): ItemWork {
  const { store, outbox, runner, tasks, outcomes, log, recordings, logger, settings, clock, failPoint, errorReply } =
    parts;
  const tries = new Map<string, number>();

  const end = async ({ effects = [], entry, deliveries: made = [], ...ending }: EndOfItem) => {
    const deliveries = await outbox.prepared(made);
    const writes = writesOf(effects);
    const deliveryIds = deliveries.map(({ id }) => id);
    const outcome = deliveryIds.length > 0 ? { ...ending.outcome, deliveryIds } : ending.outcome;
    const results = await store.end({ ...ending, outcome, writes, deliveries }).catch((error) => {
      outbox.forget(deliveries);
      throw error;
    });
    failPoint("intent-written");
    outbox.add(deliveries);
    tellApplied(effects, results);
    outcomes.tell(outcome);
    log.add(entry);
    const record = recordings.take(ending.outcome.traceId);
    if (record) log.behind(record);
    return {};
  };
  const endUnrun = (item: WaitingItem, { message, fence }: Claimed, state: "dead" | "expired", why: string) => {
    const error = { code: "internal", error: WHY_DEAD[why] ?? why };
    return end({
      itemId: item.id,
      fence,
      state,
      outcome: state === "dead" ? noOutcome(item.traceId, "failed", error) : noOutcome(item.traceId, "expired"),
      entry: entryFor(item, message)(state, why),
      ...(state === "dead" && { cause: why }),
    });
  };
  const complete = async (item: WaitingItem, { message, fence }: Claimed, started: StartedTurn, turn: Turn) => {
    const isAnswered = turn.replies.length > 0 && !turn.stopped;
    const isRun = message.addressed && (message.kind === "message" || message.kind === "regenerate");
    const isBlocked = turn.filter.blocked || turn.stopped?.reason === "filtered";
    const state = isBlocked ? "blocked" : isAnswered ? "answered" : isRun ? "stopped" : "ignored";
    const deliveries = isAnswered ? deliveriesOf(turn, await started.draftId(), outbox.link, clock.now()) : [];
    const isUnanswered = state === "blocked" || state === "stopped";
    const left = isUnanswered ? await started.unanswered(null) : [];
    const isBuilt = state === "answered" && deliveries.length === 0;
    const how = isBuilt ? "built" : isBlocked ? "filtered" : "completed";
    return end({
      itemId: item.id,
      fence,
      state: state === "ignored" ? "ignored" : "done",
      outcome: outcomeOf(turn, state),
      effects: await started.effects(turn, !isUnanswered, left),
      hasDraft: started.hasDraft(),
      deliveries,
      entry: entryFor(item, message)(how, `the turn is over: ${state}`),
    });
  };
  const fail = async (item: WaitingItem, { message, fence }: Claimed, turn: StartedTurn, cause: unknown) => {
    const { code, message: text } = AppError.is(cause)
      ? cause
      : new AppError("internal", "the message could not be answered");
    if (!AppError.is(cause)) logger.error("a turn failed", { traceId: item.traceId, error: cause });
    const entry = entryFor(item, message);
    const tried = tries.get(item.id) ?? 0;
    const wait = TRY_AGAIN_MS[tried];
    const isChannel = message.source === message.channelId && message.channelId !== "web";
    if (isChannel && wait !== undefined && TRANSIENT.has(code) && clock.monotonic() - item.sinceMs + wait < STALE_MS) {
      tries.set(item.id, tried + 1);
      log.add(entry("dispatch_failed", `${text}; tried again in ${wait / 1000} s`, { code, message: text }));
      await store.release(item.id, fence, writesOf(await turn.effects(undefined, false)));
      return { retryInMs: wait };
    }
    tries.delete(item.id);
    const error = { code, error: text };
    const left = await turn.unanswered(error);
    return end({
      itemId: item.id,
      fence,
      state: "failed",
      outcome: noOutcome(item.traceId, "failed", error),
      effects: await turn.effects(undefined, false, left),
      hasDraft: turn.hasDraft(),
      deliveries: isChannel && errorReply !== "" ? noticeOf(item.traceId, message, errorReply, clock.now()) : [],
      entry: entry("dispatch_failed", text, { code, message: text }),
      cause: code,
    });
  };

  /** A task runs like a turn, without its stages. */
  const runTask = async (item: WaitingItem, { message, fence }: Claimed, signal: AbortSignal) => {
    const { traceId, id: itemId } = item;
    const call = { store, failPoint, traceId };
    const noted = { noted: { type: "internal_task" } };
    const entry = entryFor(item, message);
    const context = { traceId, signal, once: <T>(key: string, run: () => Promise<T>) => once({ ...call, key }, run) };
    try {
      await tasks.run(message, context);
      const done = { ...entry("completed", "the task is done"), ...noted };
      return await end({ itemId, fence, state: "done", outcome: noOutcome(traceId, "answered"), entry: done });
    } catch (error) {
      if (signal.reason === STOPPING) return {};
      const { code, message: text } = AppError.is(error) ? error : new AppError("internal", "the task failed");
      if (!AppError.is(error)) logger.error("a task failed", { traceId, error });
      const failed = { ...entry("failed", text, { code, message: text }), ...noted };
      const outcome = noOutcome(traceId, "failed", { code, error: text });
      return await end({ itemId, fence, state: "failed", outcome, entry: failed, cause: code });
    }
  };

  return {
    async run(item, { claimed, abort, started }) {
      const { message, fence, draft } = claimed;
      const { traceId, id: itemId } = item;
      const entry = entryFor(item, message);
      if (fence > MAX_RUNS) return endUnrun(item, claimed, "dead", "crash_loop");
      const isStale = clock.monotonic() - item.sinceMs > STALE_MS && draft === undefined;
      if (isStale) return endUnrun(item, claimed, "expired", "waited too long");
      const stopped = async (turn?: StartedTurn) => {
        const left = (await turn?.unanswered(null)) ?? [];
        const effects = (await turn?.effects(undefined, false, left)) ?? [];
        const outcome = noOutcome(traceId, "stopped");
        const said = entry("stopped", "stopped before anything was said");
        return end({
          itemId,
          fence,
          state: "stopped",
          outcome,
          effects,
          entry: said,
          hasDraft: turn?.hasDraft() ?? false,
        });
      };
      const release = async (turn?: StartedTurn) => {
        await store.release(itemId, fence, writesOf((await turn?.effects(undefined, false)) ?? []));
        return { retryInMs: 0 };
      };
      if (abort.signal.reason === STOPPING) return {};
      if (abort.signal.reason === PAUSED) return release();
      if (abort.signal.aborted) return stopped();
      log.add(entry("dispatched", "the turn begins"));
      const isTask = message.kind === "task";
      const timeoutMs = settings.get(isTask ? RUN_TIMEOUT_S : TURN_TIMEOUT_S) * 1000;
      const timer = setTimeout(() => abort.abort(new AppError("timed_out", "the turn took too long")), timeoutMs);
      if (isTask) return runTask(item, claimed, abort.signal).finally(() => clearTimeout(timer));
      const isRepeated = !item.isFirst;
      const turn = runner.start({ traceId, itemId, fence, message, draft, isRepeated, signal: abort.signal });
      started(turn);
      const hideTyping = showTyping(message, outbox.link(message.channelId), logger);
      try {
        const ended = await withGrace(turn.ended, abort.signal);
        const result = await complete(item, claimed, turn, ended);
        tries.delete(itemId);
        return result;
      } catch (error) {
        if (abort.signal.reason === STOPPING) return {};
        if (abort.signal.reason === PAUSED) return await release(turn);
        const isByUser = abort.signal.aborted && !AppError.is(abort.signal.reason);
        return isByUser ? await stopped(turn) : await fail(item, claimed, turn, error);
      } finally {
        clearTimeout(timer);
        hideTyping();
      }
    },
    giveUp: (item, claimed) => endUnrun(item, claimed, "dead", "internal"),
    async drop({ id: itemId, traceId, channelId }, why) {
      const entry = { traceId, status: "stopped", message: why, channelId, itemId };
      await end({ itemId, fence: 0, state: "stopped", outcome: noOutcome(traceId, "stopped"), entry });
    },
  };
}

/** Makes the history rows of one message. */
export function entryFor(item: Pick<WaitingItem, "id" | "traceId">, message: InboundMessage) {
  return (status: string, text: string, error?: { readonly code: string; readonly message: string }): LogEntry => ({
    traceId: item.traceId,
    status,
    message: text,
    channelId: message.channelId,
    conversationId: message.conversation.id,
    userId: message.sender.id,
    // Once is enough to find the trace by it.
    ...(status === "received" && message.platformMessageId !== undefined && { messageId: message.platformMessageId }),
    itemId: item.id,
    ...(error && { error }),
  });
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
