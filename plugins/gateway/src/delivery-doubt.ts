import { type ChannelLink, DeliveryError, type Logger } from "@parley/core";
import type { Connected } from "./delivery-attempts.ts";
import type { Attempt, DeliveryVerdicts } from "./delivery-verdicts.ts";
import { gatewayLine } from "./said-lines.ts";
import type { Delivery } from "./store/outbox.ts";

const RECONCILE_EVERY_MS = 10_000;
const RECONCILES = 3;
const UNKNOWN = gatewayLine("unknown_outcome");

export interface DoubtParts {
  readonly verdicts: Pick<DeliveryVerdicts, "gaveUp" | "done">;
  readonly logger: Logger;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

/** The platform may have it: asked where it can be asked, repeated where that is safe, else left to a person. */
export async function resolveDoubt(
  parts: DoubtParts,
  delivery: Delivery,
  to: Connected | undefined,
  isExpired: boolean,
): Promise<Attempt> {
  const { gaveUp } = parts.verdicts;
  if (!to) return isExpired ? gaveUp(delivery, "dead", "outcome_unknown", UNKNOWN) : askedLater();
  const policy = String(to.channel.config.on_unknown ?? "review");
  if (to.mode === "native_key" || to.mode === "natural" || policy === "resend") return REPEATED;
  if (policy === "drop" || to.mode !== "reconcile" || !to.link.reconcile)
    return gaveUp(delivery, "dead", "outcome_unknown", UNKNOWN);
  return reconciled(parts, delivery, to.link, isExpired);
}

async function reconciled(
  parts: DoubtParts,
  delivery: Delivery,
  link: ChannelLink,
  isExpired: boolean,
): Promise<Attempt> {
  const { gaveUp, done } = parts.verdicts;
  const found = await whatPlatformSays(parts, link, delivery);
  // A platform that cannot be asked now has not said that it does not know.
  if (found === "unreachable" && !isExpired) return askedLater();
  if (found === "delivered") return done(delivery, { quality: "confirmed" });
  if (found === "absent") return REPEATED;
  const attempts = delivery.attempts + 1;
  return attempts < RECONCILES ? askedLater(attempts) : gaveUp(delivery, "dead", "outcome_unknown", UNKNOWN);
}

const REPEATED: Attempt = { change: { state: "pending", cause: "outcome_unknown" }, isFinal: false, wait: 0 };

function askedLater(attempts?: number): Attempt {
  const change = { state: "unknown_after_send", ...(attempts !== undefined && { attempts }) } as const;
  return { change, isFinal: false, wait: RECONCILE_EVERY_MS };
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
