import { type Clock, resolveConversationSettings, type Session } from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import type { GatewayStore } from "../../store/gateway-store.ts";
import type { QueueItem } from "../../store/inbox.ts";
import { type TurnQueue, toRestarted } from "../queue/turn-queue.ts";
import type { StartedTurn } from "../run/turn-runner.ts";
import { AnsweredLater, type MergeReason } from "./answered-later.ts";
import { type BurstMessage, type BurstSoFar, canMerge, continuesBurst, MAX_BURST_MS } from "./burst-rules.ts";
import { createQuietTimes } from "./quiet-time.ts";

/** A message that waits for the answer to a later one. Its inbox row is in state `waiting`, so that nothing is lost. */
export interface DeferredMessage extends BurstMessage {
  readonly reason: MergeReason;
  /** Its own turn, which recorded the user's message. */
  readonly turn: Pick<StartedTurn, "userMessage" | "endMerged">;
}

/** A turn that is about to ask a model. */
export interface AnsweringTurn extends BurstMessage {
  readonly session: Session;
  readonly abort: AbortController;
  /** True while nothing of the answer was shown and no tool has acted. */
  readonly canStartOver: () => boolean;
}

/**
 * Answers several quick messages of a conversation together. Each runs its own turn as far as the stored user message;
 * then a later message of the burst takes over, and the earlier one is deferred until the later one's turn ends. Only the
 * end of that turn ends the deferred messages, so after a crash all of them are waiting, in order, and merge again.
 */
export interface Bursts {
  /** Sets the queue in which later messages are found; `wake` is called when a slot for a turn became free. */
  connect(queue: Pick<TurnQueue, "listOf" | "addFirst">, wake: () => void): void;
  /**
   * Resolves when the model may be asked; undefined at once. Rejects with the abort reason when a later message takes
   * over or the turn is aborted.
   */
  gather(turn: AnsweringTurn): Promise<void> | undefined;
  /** Called when a message was queued: it may take over the turn of an earlier one, or end its waiting. */
  onQueued(item: QueueItem): void;
  /** Called when the turn of a message is over. */
  onTurnEnded(item: QueueItem): void;
  /** Lets a message, and those deferred to it, wait until the later one's turn ends; queues them again if that one is gone. */
  defer(deferred: DeferredMessage, later: QueueItem): void;
  /** Returns the messages that share the answer to this one, in order. */
  listDeferred(traceId: string): readonly DeferredMessage[];
  /** Forgets the deferred messages of an answered message. */
  forget(traceId: string): void;
  /** Puts the deferred messages back into the queue, because this one gets no answer. */
  putBack(traceId: string): void;
  /** Forgets everything about the sessions that another node or nobody answers. */
  forgetSessions(isForgotten: (sessionId: string) => boolean): void;
  /** Number of turns that wait for further messages; they occupy no slot. */
  readonly waiting: number;
}

export interface BurstsDeps {
  readonly store: Pick<GatewayStore, "listWaiting">;
  readonly clock: Clock;
  /** Returns the type of a channel, such as `imB`. */
  readonly getChannelType: (channelId: string) => string | undefined;
  /** Returns true for the text of a chat command. */
  readonly isCommand: (text: string) => boolean;
}

interface AnsweringBurst extends BurstSoFar {
  readonly turn: AnsweringTurn;
  /** Set while the turn waits: lets it go on. */
  goOn: (() => void) | undefined;
}

interface BurstsState extends BurstsDeps {
  queue: Pick<TurnQueue, "listOf" | "addFirst"> | undefined;
  wake: () => void;
  waiting: number;
  readonly answering: Map<string, AnsweringBurst>;
  readonly deferredTo: Map<string, readonly DeferredMessage[]>;
  readonly chooseQuietMs: ReturnType<typeof createQuietTimes>["choose"];
}

export function createBursts(deps: BurstsDeps): Bursts {
  const answering = new Map<string, AnsweringBurst>();
  const deferredTo = new Map<string, readonly DeferredMessage[]>();
  const state: BurstsState = {
    ...deps,
    queue: undefined,
    wake: () => {},
    waiting: 0,
    answering,
    deferredTo,
    chooseQuietMs: createQuietTimes().choose,
  };
  const putBack = (traceId: string) => {
    const deferred = deferredTo.get(traceId) ?? [];
    deferredTo.delete(traceId);
    for (const { item } of deferred.toReversed()) state.queue?.addFirst(toRestarted(item));
  };
  return {
    connect(queue, wake) {
      state.queue = queue;
      state.wake = wake;
    },
    gather: (turn) => gather(state, turn),
    onQueued: (item) => onQueued(state, item),
    onTurnEnded({ sessionId, id }) {
      if (answering.get(sessionId)?.item.id === id) answering.delete(sessionId);
    },
    defer(deferred, later) {
      const earlier = deferredTo.get(deferred.item.traceId) ?? [];
      deferredTo.delete(deferred.item.traceId);
      deferredTo.set(later.traceId, [...(deferredTo.get(later.traceId) ?? []), ...earlier, deferred]);
      // The later message may have been withdrawn while the turn of this one ended.
      const isQueued = state.queue?.listOf(later.sessionId).some(({ id }) => id === later.id);
      if (!isQueued) putBack(later.traceId);
    },
    listDeferred: (traceId) => deferredTo.get(traceId) ?? [],
    forget: (traceId) => void deferredTo.delete(traceId),
    putBack,
    forgetSessions(isForgotten) {
      for (const sessionId of answering.keys()) if (isForgotten(sessionId)) answering.delete(sessionId);
      for (const [traceId, [first]] of deferredTo)
        if (first && isForgotten(first.item.sessionId)) deferredTo.delete(traceId);
    },
    get waiting() {
      return state.waiting;
    },
  };
}

function gather(state: BurstsState, turn: AnsweringTurn): Promise<void> | undefined {
  const { answering, deferredTo, isCommand } = state;
  const { item, message, session } = turn;
  const channelType = state.getChannelType(message.channelId);
  if (channelType === undefined || !canMerge(message, isCommand)) return undefined;
  const kind = { channelType, isGroup: message.conversation.isGroup };
  const { burst: mode, burst_ms } = resolveConversationSettings(session, kind);
  if (mode === "off") return undefined;
  const deferred = deferredTo.get(item.traceId) ?? [];
  const burst: AnsweringBurst = {
    ...{ item, message, mode, turn },
    quietMs: mode === "wait" ? burst_ms || state.chooseQuietMs(message, item.sinceMs) : 0,
    count: deferred.length + 1,
    firstMs: deferred[0]?.item.sinceMs ?? item.sinceMs,
    goOn: undefined,
  };
  answering.set(item.sessionId, burst);
  const waits = mode === "wait" || (state.queue?.listOf(item.sessionId).length ?? 0) > 0;
  return waits ? waitForMore(state, burst) : undefined;
}

/** Lets a waiting message of the burst take over, or waits until none has come for the quiet time. */
async function waitForMore(state: BurstsState, burst: AnsweringBurst): Promise<void> {
  const { abort } = burst.turn;
  const next = await findNext(state, burst);
  if (next) takeOver(burst, next.item, "merged");
  abort.signal.throwIfAborted();
  if (burst.mode !== "wait") return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const until = Math.min(burst.item.sinceMs + burst.quietMs, burst.firstMs + MAX_BURST_MS);
  const timer = setTimeout(resolve, Math.max(0, until - state.clock.monotonic()));
  burst.goOn = resolve;
  state.waiting += 1;
  state.wake();
  try {
    await raceWithSignal(promise, abort.signal);
  } finally {
    clearTimeout(timer);
    burst.goOn = undefined;
    state.waiting -= 1;
  }
}

/** Returns the first waiting message that continues the burst. */
async function findNext({ queue, store, isCommand }: BurstsState, burst: AnsweringBurst) {
  const { sessionId } = burst.item;
  const items = queue?.listOf(sessionId) ?? [];
  if (items.length === 0) return undefined;
  const isKnown = items.every(({ message }) => message !== undefined);
  const stored = isKnown ? [] : await store.listWaiting(sessionId);
  const messages = items.flatMap((item) => {
    const message = item.message ?? stored.find(({ id }) => id === item.id)?.message;
    return message ? [{ item, message }] : [];
  });
  return messages.find((later) => canMerge(later.message, isCommand) && continuesBurst(burst, later));
}

function onQueued({ answering, isCommand }: BurstsState, item: QueueItem): void {
  const burst = answering.get(item.sessionId);
  const { message } = item;
  if (!burst || !message?.addressed || message.kind !== "message") return;
  const canTakeOver = burst.goOn !== undefined || (burst.mode === "interrupt" && burst.turn.canStartOver());
  if (canTakeOver && canMerge(message, isCommand) && continuesBurst(burst, { item, message }))
    takeOver(burst, item, burst.goOn ? "merged" : "superseded");
  else burst.goOn?.();
}

function takeOver({ turn }: AnsweringBurst, later: QueueItem, reason: MergeReason): void {
  turn.abort.abort(new AnsweredLater(later, reason));
}
