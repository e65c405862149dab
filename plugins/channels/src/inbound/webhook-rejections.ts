import {
  type AppError,
  type ChannelConfig,
  type Clock,
  type ErrorCode,
  type GatewayLog,
  newTraceId,
} from "@parley/core";
import { createSlidingWindow } from "@parley/core/limits";

const MINUTE_MS = 60_000;
/** Maximum log rows per minute, address and process, so that a flood does not fill the log. */
const MAX_LOGGED_PER_MINUTE = 20;

const STATUS_BY_CODE: Partial<Record<ErrorCode, string>> = {
  unauthorized: "auth_failed",
  permission_denied: "auth_failed",
  not_found: "unknown_channel",
  bad_request: "parse_failed",
  rate_limited: "rate_limited",
};

/** Temporary causes with a separate status, such as a full queue. */
const STATUS_CAUSES: ReadonlySet<unknown> = new Set(["queue_full", "missing_parser"]);

function toStatus(channel: Parameters<LogRejection>[0], { code, cause }: Rejection): string | undefined {
  if (channel?.enabled === false) return "disabled_channel";
  return STATUS_CAUSES.has(cause) ? String(cause) : STATUS_BY_CODE[code];
}

/** Logs rejected webhooks and returns their trace ids. */
export type LogRejection = (
  channel: Pick<ChannelConfig, "id" | "enabled"> | undefined,
  address: string,
  rejection: Rejection,
) => string;

type Rejection = Pick<AppError, "code" | "message" | "cause">;

export function createRejectionLog(clock: Clock, log: () => GatewayLog | undefined): LogRejection {
  const window = createSlidingWindow(MINUTE_MS, () => clock.monotonic());
  return (channel, address, error) => {
    const traceId = newTraceId(clock.now());
    const status = toStatus(channel, error);
    const key = `${channel?.id ?? ""} ${address}`;
    if (status === undefined || window.waitMs(key, MAX_LOGGED_PER_MINUTE) > 0) return traceId;
    window.count(key);
    // The cause is only logged, so that senders learn nothing for guessing.
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
