import { deliveryFailure, type PlatformText } from "../delivery-texts.ts";
import { AppError, DeliveryError, type DeliveryFailure } from "../errors.ts";

/** Error codes of connections that were never established, so nothing was sent. */
const NEVER_CONNECTED: readonly (readonly [RegExp, PlatformText])[] = [
  [/^ECONNREFUSED/, "refused_connection"],
  [/^(ENOTFOUND|EAI_AGAIN)/, "host_unknown"],
  [/^(EHOSTUNREACH|ENETUNREACH)/, "network"],
  [/^UND_ERR_CONNECT_TIMEOUT/, "connect_late"],
  [/^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/, "certificate"],
];
const CLOSED_PATTERN = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)/;
const TIMEOUT_PATTERN = /TIMEOUT|ETIMEDOUT|TimeoutError/;

/**
 * Maps a failed HTTP call to a delivery error, which it may be already: `not_sent` when nothing was written, `permanent` when the address is
 * not allowed, else `mayHaveArrived` (`ambiguous`, or `unavailable` where a repeat is safe).
 */
export function connectionFailure(operation: string, error: unknown, mayHaveArrived: DeliveryFailure): DeliveryError {
  if (DeliveryError.is(error)) return error;
  if (AppError.is(error) && error.code === "bad_request")
    return deliveryFailure("permanent", "address_refused", { words: error.message });
  const codes = collectErrorCodes(error);
  for (const [pattern, text] of NEVER_CONNECTED) {
    const code = codes.find((one) => pattern.test(one));
    if (code !== undefined)
      return deliveryFailure("not_sent", text, { words: `${operation} (${code})` }, { cause: error });
  }
  const [reason = error instanceof Error ? error.name : "failed"] = codes;
  const all = [...codes, reason];
  const text = all.some((one) => TIMEOUT_PATTERN.test(one))
    ? "late"
    : all.some((one) => CLOSED_PATTERN.test(one))
      ? "closed"
      : "ended";
  return deliveryFailure(mayHaveArrived, text, { words: `${operation} (${reason})` }, { cause: error });
}

/** Returns the codes of an error and its causes, outermost first. */
function collectErrorCodes(error: unknown): readonly string[] {
  const codes: string[] = [];
  for (let one = error; one instanceof Error && codes.length < 8; one = one.cause) {
    if ("code" in one && typeof one.code === "string" && !AppError.is(one)) codes.push(one.code);
  }
  return codes;
}
