import { type ChannelLink, type Clock, DeliveryError, deadline, type Logger } from "@parley/core";
import type { Delivery } from "../store/delivery.ts";
import { gatewayTexts } from "../texts.ts";
import type { ConnectedChannel } from "./connected-channel.ts";
import { type AttemptResult, MAX_ATTEMPTS, type OutcomePolicy } from "./outcome-policy.ts";

const RECONCILE_EVERY_MS = 10_000;
const RECONCILE_TIMEOUT_MS = 30_000;
/** Time after which a message missing in the platform's history counts as not sent, as a history may lag. */
const RECONCILE_WINDOW_MS = 30_000;
/** Maximum number of sends for a message that the platform's history does not list. */
const MAX_SENDS_WHEN_ABSENT = 2;
const UNKNOWN_OUTCOME_TEXT = gatewayTexts.message("unknown_outcome");

export interface UnknownOutcomeDeps {
  readonly outcomePolicy: Pick<OutcomePolicy, "finishUndelivered" | "finishDelivered" | "getBackoffMs">;
  readonly logger: Logger;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  /** Start of the reconciliation with the platform, by delivery id. */
  readonly reconcilingSinceMs: Map<string, number>;
  /** Aborts when the service stops. */
  readonly stopSignal: AbortSignal;
}

/**
 * Decides about a delivery with an unknown outcome: asks the platform where that is possible, repeats the send where
 * that is safe, else follows the channel's `on_unknown`. Every repeat counts as an attempt and is delayed like one.
 */
export async function resolveUnknownOutcome(
  deps: UnknownOutcomeDeps,
  delivery: Delivery,
  connection: ConnectedChannel | undefined,
  isExpired: boolean,
): Promise<AttemptResult> {
  const deadLetter = () =>
    deps.outcomePolicy.finishUndelivered(delivery, "dead", "outcome_unknown", UNKNOWN_OUTCOME_TEXT);
  if (!connection) return isExpired ? deadLetter() : checkLater(delivery);
  const policy = String(connection.channel.config.on_unknown ?? "review");
  const isSafe = connection.mode === "native_key" || connection.mode === "natural";
  const answer = isSafe ? "safe" : await reconcile(deps, delivery, connection, isExpired);
  if (answer === "delivered") return deps.outcomePolicy.finishDelivered(delivery, { quality: "confirmed" });
  if (answer === "later") return checkLater(delivery);
  deps.reconcilingSinceMs.delete(delivery.id);
  if (isExpired || delivery.attempts >= getMaxSends(answer, policy)) return deadLetter();
  return repeatLater(deps, delivery);
}

/** Returns the maximum number of sends for a delivery with an unknown outcome. */
function getMaxSends(found: "safe" | "absent" | "unknown", policy: string): number {
  if (found === "safe" || policy === "resend") return MAX_ATTEMPTS;
  return found === "absent" && policy !== "drop" ? MAX_SENDS_WHEN_ABSENT : 1;
}

/** Asks the platform for the outcome of a send. Returns `later` until the time for that has passed. */
async function reconcile(
  deps: UnknownOutcomeDeps,
  delivery: Delivery,
  { mode, link }: ConnectedChannel,
  isExpired: boolean,
): Promise<"delivered" | "absent" | "unknown" | "later"> {
  if (mode !== "reconcile" || !link.reconcile) return "unknown";
  const { reconcilingSinceMs, clock } = deps;
  const answer = await askPlatform(deps, link, delivery);
  // An unreachable platform gives no evidence about the message.
  if (answer === "unreachable") return isExpired ? "unknown" : "later";
  const sinceMs = reconcilingSinceMs.get(delivery.id) ?? clock.monotonic();
  reconcilingSinceMs.set(delivery.id, sinceMs);
  const isEarly = clock.monotonic() - sinceMs < RECONCILE_WINDOW_MS && !isExpired;
  return answer !== "delivered" && isEarly ? "later" : answer;
}

function repeatLater({ outcomePolicy, clock }: UnknownOutcomeDeps, { attempts }: Delivery): AttemptResult {
  const waitMs = outcomePolicy.getBackoffMs(attempts);
  const nextMs = Math.ceil(clock.now() + waitMs);
  return { change: { state: "pending", cause: "outcome_unknown", attempts, nextMs }, isFinal: false, waitMs };
}

function checkLater({ attempts }: Delivery): AttemptResult {
  return { change: { state: "unknown_after_send", attempts }, isFinal: false, waitMs: RECONCILE_EVERY_MS };
}

async function askPlatform({ logger, stopSignal }: UnknownOutcomeDeps, link: ChannelLink, { message }: Delivery) {
  try {
    using limit = deadline(RECONCILE_TIMEOUT_MS, stopSignal);
    return (await link.reconcile?.(message, limit.signal)) ?? "unknown";
  } catch (error) {
    if (DeliveryError.is(error) && error.failure === "not_sent") return "unreachable";
    logger.warn("the platform could not report the outcome of a delivery", { delivery: message.deliveryId, error });
    return "unknown";
  }
}
