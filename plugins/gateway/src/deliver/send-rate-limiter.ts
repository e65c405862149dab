import { type Clock, deadline } from "@parley/core";
import type { Delivery } from "../store/delivery.ts";
import type { ConnectedChannel } from "./connected-channel.ts";
import { SENDING_STOPPED, type SendingPermit } from "./sending-permit.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Permits of the platforms' rate limiters; each is requested once per delivery, and never awaited within a send. */
export interface SendRateLimiter {
  /** Waits for the permit; rejects with `SENDING_STOPPED` when sending is paused or stopped, or the delivery expires. */
  acquire(delivery: Delivery, to: ConnectedChannel): Promise<void>;
  /** Returns true when the permit is available without waiting. */
  tryAcquire(delivery: Delivery, to: ConnectedChannel): Promise<boolean>;
  forget(deliveryId: string): void;
}

export function createSendRateLimiter(clock: Pick<Clock, "monotonic">, permit: SendingPermit): SendRateLimiter {
  const requests = new Map<string, Promise<void>>();
  const request = async (delivery: Delivery, { link, closing }: ConnectedChannel) => {
    const remainingMs = delivery.expiresMs === null ? MAX_TIMER_MS : delivery.expiresMs - clock.monotonic();
    using limit = deadline(
      Math.min(remainingMs, MAX_TIMER_MS),
      permit.stopSignal,
      permit.getPauseSignal(),
      closing.signal,
    );
    try {
      await link.pace?.(delivery.message, limit.signal);
    } catch (error) {
      requests.delete(delivery.id);
      throw limit.signal.aborted ? SENDING_STOPPED : error;
    }
  };
  const acquire = (delivery: Delivery, to: ConnectedChannel): Promise<void> => {
    const pending = requests.get(delivery.id);
    if (pending) return pending;
    const requested = request(delivery, to);
    // Waiting callers receive the rejection; this handler prevents an unhandled one while there are none.
    requested.catch(() => {});
    requests.set(delivery.id, requested);
    return requested;
  };
  return {
    acquire,
    tryAcquire: (delivery, to) => isFulfilledNow(acquire(delivery, to)),
    forget: (deliveryId) => void requests.delete(deliveryId),
  };
}

/** Returns true when the promise is already fulfilled; false when it is pending or rejected. */
async function isFulfilledNow(work: Promise<unknown>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([work.then(() => true), later]).catch(() => false);
}
