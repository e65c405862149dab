import {
  type Clock,
  type InboundMessage,
  inLanguage,
  type LiveEvents,
  type Localized,
  type Logger,
  languageOf,
} from "@parley/core";
import { SLOW_REPLY } from "./config.ts";
import { noticeOf, staysHere } from "./deliveries.ts";
import type { Outbox } from "./outbox.ts";
import type { WaitingItem } from "./store/inbox.ts";
import type { Delivery } from "./store/outbox.ts";
import type { GatewayStore } from "./store.ts";
import { isOfChannel } from "./turn-end.ts";

/** From when people wait for the answer of a message until they read that it takes longer. */
const AFTER_MS = 8_000;
/** A notice that comes late says nothing any more. */
const TTL_MS = 30_000;
/** Its place among the deliveries of a turn: before the replies. */
const PLACE = -1;

/** Tells people once, while a message of theirs waits for its answer, that it takes longer. */
export interface DelayNotices {
  /** The message waits for its turn; one behind another of its session waits for that one first. */
  arrived(item: WaitingItem, message: InboundMessage): void;
  /** A turn of it runs; `isSeen`: people see that the answer is being made. */
  begun(item: WaitingItem, message: InboundMessage, isSeen: () => boolean): void;
  /** The message has its end. */
  over(item: Pick<WaitingItem, "id" | "sessionId">): void;
  stop(): void;
}

export interface DelayNoticesParts {
  readonly store: Pick<GatewayStore, "addDeliveries" | "outcome" | "sentUnder">;
  readonly outbox: Pick<Outbox, "prepared" | "forget" | "add">;
  readonly events: Pick<LiveEvents, "publish">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A question to people is open in the session: they know what it waits for. */
  readonly isAsking: (sessionId: string) => boolean;
  /** Empty: people on a channel are not told. */
  readonly slowReply: string | Localized;
}

/** The message of a session whose answer people wait for. */
interface Awaited {
  readonly itemId: string;
  readonly timer: NodeJS.Timeout;
  isSeen: () => boolean;
}

export function createDelayNotices(parts: DelayNoticesParts): DelayNotices {
  const { logger } = parts;
  const bySession = new Map<string, Awaited>();
  const over: DelayNotices["over"] = ({ id, sessionId }) => {
    const found = bySession.get(sessionId);
    if (found?.itemId !== id) return;
    clearTimeout(found.timer);
    bySession.delete(sessionId);
  };
  const start = (item: WaitingItem, message: InboundMessage, isSeen: () => boolean) => {
    if (!isAwaited(message)) return;
    clearTimeout(bySession.get(item.sessionId)?.timer);
    const timer = setTimeout(() => {
      if (awaited.isSeen() || parts.isAsking(item.sessionId)) return;
      tell(parts, item, message).catch((error) =>
        logger.warn("it could not be told that an answer takes longer", { traceId: item.traceId, error }),
      );
    }, AFTER_MS);
    timer.unref();
    const awaited: Awaited = { itemId: item.id, timer, isSeen };
    bySession.set(item.sessionId, awaited);
  };
  return {
    arrived(item, message) {
      if (!bySession.has(item.sessionId)) start(item, message, () => false);
    },
    begun(item, message, isSeen) {
      const found = bySession.get(item.sessionId);
      if (found?.itemId === item.id) found.isSeen = isSeen;
      else start(item, message, isSeen);
    },
    over,
    stop() {
      for (const { timer } of bySession.values()) clearTimeout(timer);
      bySession.clear();
    },
  };
}

function isAwaited({ addressed, kind, isHidden }: InboundMessage): boolean {
  return addressed && isHidden !== true && (kind === "message" || kind === "regenerate");
}

async function tell(
  { store, outbox, events, clock, slowReply }: DelayNoticesParts,
  { traceId, sessionId }: WaitingItem,
  message: InboundMessage,
): Promise<void> {
  // Another node may have ended it, and what was sent under it, such as this notice before a restart, is word enough.
  const [{ outcome }, sent] = await Promise.all([store.outcome(traceId), store.sentUnder(traceId)]);
  if (outcome || sent.length > 0) return;
  const words = slowReply === "" ? SLOW_REPLY : slowReply;
  const payload = { trace_id: traceId, text: inLanguage(words, languageOf(message)), level: "info" };
  events.publish({ type: "progress_message", session_id: sessionId, durable: false, payload });
  if (slowReply === "" || !isOfChannel(message) || staysHere(message)) return;
  const nowMs = clock.now();
  const made = noticeOf(traceId, message, slowReply, nowMs, PLACE).map(
    (one): Delivery => ({ ...one, expiresMs: nowMs + TTL_MS }),
  );
  const deliveries = await outbox.prepared(made);
  try {
    await store.addDeliveries(deliveries);
  } catch (error) {
    outbox.forget(deliveries);
    throw error;
  }
  outbox.add(deliveries);
}
