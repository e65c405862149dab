import {
  AppError,
  type Clock,
  type InboundMessage,
  inLanguage,
  type LiveEvents,
  type Localized,
  type Logger,
  senderLanguage,
} from "@parley/core";
import { SLOW_REPLY } from "../config.ts";
import { buildNotice, isConsoleOnly } from "../deliver/deliveries.ts";
import type { Outbox } from "../deliver/outbox.ts";
import type { Delivery } from "../store/delivery.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import { createOpenMessageGuard, type QueueItem } from "../store/inbox.ts";
import { isFromChannel } from "./turn-end.ts";

/** Waiting time after which people are notified that the reply takes longer. */
const DELAY_MS = 8_000;
/** Lifetime of the notice, which is useless later. */
const TTL_MS = 30_000;
/** Position among the deliveries of a turn: before the replies. */
const REPLY_INDEX = -1;

/** Notifies people once that the reply to their message takes longer. */
export interface DelayNotices {
  /** Called when the message waits for its turn. Behind another message of its session, it waits for that one first. */
  onQueued(item: QueueItem, message: InboundMessage): void;
  /** Called when the turn starts; `isVisible` returns whether people see progress. */
  onStarted(item: QueueItem, message: InboundMessage, isVisible: () => boolean): void;
  /** Called when the message has ended. */
  onFinished(item: Pick<QueueItem, "id" | "sessionId">): void;
  stop(): void;
}

export interface DelayNoticesDeps {
  readonly store: Pick<GatewayStore, "addDeliveries" | "findOutcome" | "listSent">;
  readonly outbox: Pick<Outbox, "prepare" | "discard" | "add">;
  readonly events: Pick<LiveEvents, "publish">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns true while a tool confirmation is open in the session, since people know then that it waits for them. */
  readonly isAsking: (sessionId: string) => boolean;
  /** Text of the notice; an empty string disables it on platforms, and the console shows `SLOW_REPLY`. */
  readonly slowReply: string | Localized;
}

/** The message of a session whose reply people are waiting for. */
interface PendingNotice {
  readonly itemId: string;
  readonly timer: NodeJS.Timeout;
  isVisible: () => boolean;
}

export function createDelayNotices(deps: DelayNoticesDeps): DelayNotices {
  const { logger } = deps;
  const bySession = new Map<string, PendingNotice>();
  const onFinished: DelayNotices["onFinished"] = ({ id, sessionId }) => {
    const found = bySession.get(sessionId);
    if (found?.itemId !== id) return;
    clearTimeout(found.timer);
    bySession.delete(sessionId);
  };
  const start = (item: QueueItem, message: InboundMessage, isVisible: () => boolean) => {
    if (!expectsReply(message)) return;
    clearTimeout(bySession.get(item.sessionId)?.timer);
    const timer = setTimeout(() => {
      if (pending.isVisible() || deps.isAsking(item.sessionId)) return;
      sendNotice(deps, item, message).catch((error) =>
        logger.warn("the notice that an answer takes longer could not be sent", { traceId: item.traceId, error }),
      );
    }, DELAY_MS);
    timer.unref();
    const pending: PendingNotice = { itemId: item.id, timer, isVisible };
    bySession.set(item.sessionId, pending);
  };
  return {
    onQueued(item, message) {
      if (!bySession.has(item.sessionId)) start(item, message, () => false);
    },
    onStarted(item, message, isVisible) {
      const found = bySession.get(item.sessionId);
      if (found?.itemId === item.id) found.isVisible = isVisible;
      else start(item, message, isVisible);
    },
    onFinished,
    stop() {
      for (const { timer } of bySession.values()) clearTimeout(timer);
      bySession.clear();
    },
  };
}

function expectsReply({ addressed, kind, isHidden }: InboundMessage): boolean {
  return addressed && isHidden !== true && (kind === "message" || kind === "regenerate");
}

async function sendNotice(
  { store, outbox, events, clock, slowReply }: DelayNoticesDeps,
  { id, traceId, sessionId }: QueueItem,
  message: InboundMessage,
): Promise<void> {
  // Another node may have ended the message, or sent this notice before a restart.
  const [{ outcome }, sent] = await Promise.all([store.findOutcome(traceId), store.listSent(traceId)]);
  if (outcome || sent.length > 0) return;
  const words = slowReply === "" ? SLOW_REPLY : slowReply;
  const payload = { trace_id: traceId, text: inLanguage(words, senderLanguage(message)), level: "info" };
  events.publish({ type: "progress_message", session_id: sessionId, durable: false, payload });
  if (slowReply === "" || !isFromChannel(message) || isConsoleOnly(message)) return;
  const nowMs = clock.now();
  const planned = buildNotice(traceId, message, slowReply, nowMs, REPLY_INDEX).map(
    (one): Delivery => ({ ...one, expiresMs: nowMs + TTL_MS }),
  );
  const deliveries = await outbox.prepare(planned);
  try {
    await store.addDeliveries(deliveries, [createOpenMessageGuard(id)]);
  } catch (error) {
    outbox.discard(deliveries);
    // The message has ended by now, and its answer would arrive before the notice.
    if (AppError.is(error) && error.code === "conflict") return;
    throw error;
  }
  outbox.add(deliveries);
}
