import type { Duplex } from "node:stream";
import { type AppError, HTTP_STATUS } from "@parley/core";
import { rejectUpgrade } from "@parley/core/http";

/** Rejects an upgrade with the same response as a route. */
export function rejectWithError(stream: Duplex, { code, message, retryAfterS }: AppError): void {
  const body = JSON.stringify({ success: false, error: message, code });
  const retry = retryAfterS === undefined ? {} : { "Retry-After": String(retryAfterS) };
  rejectUpgrade(stream, `${HTTP_STATUS[code]} Refused`, {
    headers: { "Content-Type": "application/json", ...retry },
    body,
  });
}
