import { type TextKey, useTexts } from "./texts.ts";

/** Texts for the steps of a message by status; an unknown status is shown unchanged. */
const STEP_TEXTS: Readonly<Record<string, TextKey>> = {
  received: "stepReceived",
  ignored: "stepIgnored",
  duplicated: "stepDuplicated",
  deduped: "stepDuplicated",
  queued: "stepQueued",
  queue_full: "stepQueueFull",
  verified: "stepVerified",
  parsed: "stepParsed",
  parse_failed: "stepParseFailed",
  auth_failed: "stepAuthFailed",
  rate_limited: "stepRateLimited",
  unknown_channel: "stepUnknownChannel",
  disabled_channel: "stepDisabledChannel",
  missing_parser: "notInstalled",
  dispatched: "stepDispatched",
  build_request_failed: "stepDispatchFailed",
  dispatch_failed: "stepDispatchFailed",
  model_selected: "stepModel",
  model_failover: "stepFailover",
  filtered: "stepFiltered",
  pending: "stepPending",
  processing: "stepDispatched",
  sending: "stepDelivering",
  delivering: "stepDelivering",
  delivered: "stepDelivered",
  built: "stepBuilt",
  no_sender: "stepNoSender",
  unknown_after_send: "stepUnknown",
  delivery_failed: "stepDeliveryFailed",
  partial_failed: "stepDeliveryFailed",
  completed: "stepCompleted",
  stopped: "channelStopped",
  failed: "stepFailed",
  dead: "stepDead",
  retried: "stepRetried",
  discarded: "stepDiscarded",
  cancelled: "stepCancelled",
  overload: "stepOverload",
  expired: "stepExpired",
};
const FAILED_STATUSES = new Set(["failed", "dead", "expired", "delivery_failed", "partial_failed", "no_sender"]);
const UNCERTAIN_STATUSES = new Set(["unknown_after_send", "model_failover"]);

/** Returns a function that describes a step by its status. */
export function useStepLabel(): (status: string) => string {
  const { t } = useTexts();
  return (status) => {
    const key = STEP_TEXTS[status];
    return key ? t(key) : status;
  };
}

export function toStepColor(status: string, level = "info"): string {
  if (level === "error" || FAILED_STATUSES.has(status)) return "red";
  return level === "warning" || UNCERTAIN_STATUSES.has(status) ? "yellow" : "parley";
}
