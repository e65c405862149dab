import { DeliveryError, type DeliveryFailure, deliveryFailure, type PlatformText } from "@parley/core";
import { connectionFailure } from "@parley/core/channels";

interface Meaning {
  readonly failure: DeliveryFailure;
  readonly text: PlatformText;
}

const THROTTLED: Meaning = { failure: "throttled", text: "throttled" };
const AUTH: Meaning = { failure: "auth", text: "credentials" };
const BLOCKED: Meaning = { failure: "permanent", text: "blocked" };
const NOT_FOUND: Meaning = { failure: "permanent", text: "not_found" };
const REFUSED: Meaning = { failure: "permanent", text: "refused" };
const TOO_LONG: Meaning = { failure: "payload", text: "too_long" };
const DOWN: Meaning = { failure: "ambiguous", text: "platform_down" };

/** A package that throws of itself may have sent the message before. */
const PACKAGE_FAILED: Meaning = { failure: "ambiguous", text: "package_failed" };

/** Meanings of the codes of the Chat SDK's errors, of Slack's client and of Slack itself. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  RATE_LIMITED: THROTTLED,
  AUTH_FAILED: AUTH,
  PERMISSION_DENIED: BLOCKED,
  NOT_FOUND,
  VALIDATION_ERROR: REFUSED,
  slack_webapi_rate_limited_error: THROTTLED,
  ratelimited: THROTTLED,
  invalid_auth: AUTH,
  not_authed: AUTH,
  account_inactive: AUTH,
  token_revoked: AUTH,
  token_expired: AUTH,
  not_in_channel: BLOCKED,
  is_archived: BLOCKED,
  restricted_action: BLOCKED,
  channel_not_found: NOT_FOUND,
  message_not_found: NOT_FOUND,
  msg_too_long: TOO_LONG,
  // WhatsApp: a person has not written for 24 hours.
  "131047": { failure: "window_closed", text: "refused" },
  // "Some aspect of the operation may have succeeded."
  internal_error: DOWN,
  fatal_error: DOWN,
  service_unavailable: DOWN,
  request_timeout: DOWN,
};

/** Converts what an adapter package threw at a send. What is not known to be a rejection may have arrived. */
export function toDeliveryFailure(name: string, error: unknown): DeliveryError {
  for (let one = error; one instanceof Error; one = readField(one, "cause") ?? readField(one, "originalError")) {
    if (DeliveryError.is(one)) return one;
  }
  const status = readStatus(error);
  const code = readCode(error);
  const meaning = (code === undefined ? undefined : MEANINGS[code]) ?? fromStatus(status);
  if (!meaning && isConnectionError(error)) return connectionFailure(name, error, "ambiguous");
  const { failure, text } = meaning ?? PACKAGE_FAILED;
  const retryAfterMs = readRetryAfterMs(error);
  const words = `${error instanceof Error ? error.message : String(error)}`.slice(0, 300);
  return deliveryFailure(
    failure,
    text,
    { words },
    {
      cause: error,
      ...(meaning === THROTTLED && retryAfterMs > 0 && { retryAfterMs }),
      ...(code !== undefined && { platformCode: code }),
    },
  );
}

/** Returns true for an error of Node's network, or of a time limit. */
function isConnectionError(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (
      one.name === "TimeoutError" ||
      one.name === "AbortError" ||
      /^(E[A-Z]+|UND_ERR)/.test(String(readField(one, "code")))
    )
      return true;
  }
  return false;
}

function fromStatus(status: number | undefined): Meaning | undefined {
  if (status === undefined) return undefined;
  if (status === 429) return THROTTLED;
  if (status === 401) return AUTH;
  if (status === 403) return BLOCKED;
  if (status === 404 || status === 410) return NOT_FOUND;
  if (status === 413) return TOO_LONG;
  if (status >= 500) return DOWN;
  return status >= 400 ? REFUSED : undefined;
}

/** Returns the most specific code: the platform's own, else the package's. */
function readCode(error: unknown): string | undefined {
  const own = readField(readField(error, "data"), "error");
  const errorCode = readField(error, "errorCode");
  if (String(errorCode) in MEANINGS) return String(errorCode);
  const code = own ?? readField(error, "code");
  return typeof code === "string" ? code : undefined;
}

/** Returns the wait that the platform demands, in milliseconds; 0 without one. `retryAfter` and Discord's `retry_after` are in seconds. */
function readRetryAfterMs(error: unknown): number {
  const [, mentioned] = /"retry_after":\s*([\d.]+)/.exec(error instanceof Error ? error.message : "") ?? [];
  const seconds = Number(readField(error, "retryAfter") ?? mentioned ?? 0);
  return seconds > 0 ? seconds * 1_000 : Number(readField(error, "retryAfterMs") ?? 0);
}

/** Returns the HTTP status: a field, or the number in a sentence such as "Discord API error: 404". */
function readStatus(error: unknown): number | undefined {
  const fields = [
    readField(error, "statusCode"),
    readField(error, "status"),
    readField(readField(error, "response"), "status"),
  ];
  const field = fields.find((value) => typeof value === "number");
  if (typeof field === "number") return field;
  const mentioned =
    error instanceof Error
      ? /\b(?:error|status|failed|code)\b[^\d]{0,20}\b([45]\d\d)\b/i.exec(error.message)
      : undefined;
  return mentioned ? Number(mentioned[1]) : undefined;
}

function readField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
