import {
  type AppError,
  type ChannelConfig,
  type Clock,
  createSlidingWindow,
  type ErrorCode,
  type GatewayLog,
  newTraceId,
} from "@parley/core";

const MINUTE_MS = 60_000;
/**
 * Rows a minute about one address: who floods us must not fill the log. Each process has so many: to ask a shared count
 * whether a row is to be written costs as much as the row.
 */
const NOTED = 20;

const STATUS: Partial<Record<ErrorCode, string>> = {
  unauthorized: "auth_failed",
  permission_denied: "auth_failed",
  not_found: "unknown_channel",
  bad_request: "parse_failed",
  rate_limited: "rate_limited",
};

/** What is only so for now and has a reason, such as a queue that is full, is noted under that. */
const TOLD_BY_CAUSE: ReadonlySet<unknown> = new Set(["queue_full", "missing_parser"]);

function statusOf(channel: Parameters<NoteRefusal>[0], { code, cause }: Refusal): string | undefined {
  if (channel?.enabled === false) return "disabled_channel";
  return TOLD_BY_CAUSE.has(cause) ? String(cause) : STATUS[code];
}

/** Notes webhooks that were refused, and gives each the trace it is found by. */
export type NoteRefusal = (
  channel: Pick<ChannelConfig, "id" | "enabled"> | undefined,
  address: string,
  refusal: Refusal,
) => string;

type Refusal = Pick<AppError, "code" | "message" | "cause">;

export function createRefusals(clock: Clock, log: () => GatewayLog | undefined): NoteRefusal {
  const window = createSlidingWindow(MINUTE_MS, () => clock.monotonic());
  return (channel, address, error) => {
    const traceId = newTraceId(clock.now());
    const status = statusOf(channel, error);
    const key = `${channel?.id ?? ""} ${address}`;
    if (status === undefined || window.waitMs(key, NOTED) > 0) return traceId;
    window.count(key);
    // Why a check failed is for the log only: a sender is told nothing that helps to guess.
    const reason = typeof error.cause === "string" ? error.cause : error.code;
    log()?.add({
      traceId,
      source: "gateway",
      status,
      message: `a webhook was refused: ${error.message}`,
      ...(channel && { channelId: channel.id }),
      error: { code: reason, message: error.message },
      metadata: { address },
    });
    return traceId;
  };
}
