import { type Clock, deadline } from "@parley/core";
import type { Connected } from "./delivery-attempts.ts";
import { OVER, type SendingPermit } from "./sending-permit.ts";
import type { Delivery } from "./store/outbox.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

/** The platforms' word that a delivery may go: asked for once, and never waited for within a send. */
export interface DeliveryPace {
  /** Rejects with `OVER` when it is not waited for any more. */
  granted(delivery: Delivery, to: Connected): Promise<void>;
  /** True when it is granted as things stand. */
  isGranted(delivery: Delivery, to: Connected): Promise<boolean>;
  forget(deliveryId: string): void;
}

export function createDeliveryPace(clock: Pick<Clock, "monotonic">, permit: SendingPermit): DeliveryPace {
  const asked = new Map<string, Promise<void>>();
  const ask = async (delivery: Delivery, { link, leaving }: Connected) => {
    const leftMs = delivery.expiresMs === null ? MAX_TIMER_MS : delivery.expiresMs - clock.monotonic();
    using limit = deadline(Math.min(leftMs, MAX_TIMER_MS), permit.stopping, permit.working(), leaving.signal);
    try {
      await link.pace?.(delivery.message, limit.signal);
    } catch (error) {
      asked.delete(delivery.id);
      throw limit.signal.aborted ? OVER : error;
    }
  };
  const granted = (delivery: Delivery, to: Connected): Promise<void> => {
    const known = asked.get(delivery.id);
    if (known) return known;
    const word = ask(delivery, to);
    // Whoever waits for it hears of it; nobody may wait yet.
    word.catch(() => {});
    asked.set(delivery.id, word);
    return word;
  };
  return {
    granted,
    isGranted: (delivery, to) => isResolved(granted(delivery, to)),
    forget: (deliveryId) => void asked.delete(deliveryId),
  };
}

/** Whether a promise is fulfilled as things stand: what needs time is not waited for. */
async function isResolved(work: Promise<unknown>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([work.then(() => true), later]).catch(() => false);
}
