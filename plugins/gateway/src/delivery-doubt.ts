import { type ChannelLink, type Clock, DeliveryError, type Logger } from "@parley/core";
import type { Connected } from "./delivery-attempts.ts";
import { type Attempt, type DeliveryVerdicts, TRIES } from "./delivery-verdicts.ts";
import { gatewayLine } from "./said-lines.ts";
import type { Delivery } from "./store/outbox.ts";

const RECONCILE_EVERY_MS = 10_000;
/** A history may list a message late: only after this long is it believed not to be there. */
const LOOKING_MS = 30_000;
/** Sends of a message that a history does not list. */
const ABSENT_SENDS = 2;
const UNKNOWN = gatewayLine("unknown_outcome");

export interface DoubtParts {
  readonly verdicts: Pick<DeliveryVerdicts, "gaveUp" | "done" | "backoff">;
  readonly logger: Logger;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  /** Since when the platform answers the question for a delivery, by the delivery's id. */
  readonly lookingSinceMs: Map<string, number>;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

/**
 * Decides about a delivery that the platform may have: asks where the platform can be asked, repeats where that is safe,
 * else follows the channel's `on_unknown`. Every repeat counts as a try and waits like one.
 */
export async function resolveDoubt(
  parts: DoubtParts,
  delivery: Delivery,
  to: Connected | undefined,
  isExpired: boolean,
): Promise<Attempt> {
  const giveUp = () => parts.verdicts.gaveUp(delivery, "dead", "outcome_unknown", UNKNOWN);
  if (!to) return isExpired ? giveUp() : askedLater(delivery);
  const policy = String(to.channel.config.on_unknown ?? "review");
  const isSafe = to.mode === "native_key" || to.mode === "natural";
  const found = isSafe ? "safe" : await lookedFor(parts, delivery, to, isExpired);
  if (found === "delivered") return parts.verdicts.done(delivery, { quality: "confirmed" });
  if (found === "later") return askedLater(delivery);
  parts.lookingSinceMs.delete(delivery.id);
  if (isExpired || delivery.attempts >= sendsFor(found, policy)) return giveUp();
  return repeated(parts, delivery);
}

/** The sends that are allowed in all of a message whose fate is not known. */
function sendsFor(found: "safe" | "absent" | "unknown", policy: string): number {
  if (found === "safe" || policy === "resend") return TRIES;
  return found === "absent" && policy !== "drop" ? ABSENT_SENDS : 1;
}

/** What the platform says by the end of the time that it is asked in; `later` before. */
async function lookedFor(
  parts: DoubtParts,
  delivery: Delivery,
  { mode, link }: Connected,
  isExpired: boolean,
): Promise<"delivered" | "absent" | "unknown" | "later"> {
  if (mode !== "reconcile" || !link.reconcile) return "unknown";
  const { lookingSinceMs, clock } = parts;
  const found = await whatPlatformSays(parts, link, delivery);
  // A platform that cannot be asked now has not said that it does not know.
  if (found === "unreachable") return isExpired ? "unknown" : "later";
  const sinceMs = lookingSinceMs.get(delivery.id) ?? clock.monotonic();
  lookingSinceMs.set(delivery.id, sinceMs);
  const isEarly = clock.monotonic() - sinceMs < LOOKING_MS && !isExpired;
  return found !== "delivered" && isEarly ? "later" : found;
}

function repeated({ verdicts, clock }: DoubtParts, { attempts }: Delivery): Attempt {
  const wait = verdicts.backoff(attempts);
  const nextMs = Math.ceil(clock.now() + wait);
  return { change: { state: "pending", cause: "outcome_unknown", attempts, nextMs }, isFinal: false, wait };
}

function askedLater({ attempts }: Delivery): Attempt {
  return { change: { state: "unknown_after_send", attempts }, isFinal: false, wait: RECONCILE_EVERY_MS };
}

async function whatPlatformSays({ logger, stopping }: DoubtParts, link: ChannelLink, { message }: Delivery) {
  try {
    return (await link.reconcile?.(message, stopping)) ?? "unknown";
  } catch (error) {
    if (DeliveryError.is(error) && error.failure === "not_sent") return "unreachable";
    logger.warn("a platform does not say what became of a delivery", { delivery: message.deliveryId, error });
    return "unknown";
  }
}
