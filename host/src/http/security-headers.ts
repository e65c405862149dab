import type { ServerResponse } from "node:http";

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(self)",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Sets the default security headers; called first, so that a route can override them. */
export function addSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
}

/** Allows pages of the configured origins to call with a bearer token; never with the cookie. */
export function addCors(response: ServerResponse, origin: string): void {
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-allow-methods", "GET, POST, PUT, DELETE");
  response.setHeader(
    "access-control-allow-headers",
    // Clients of other standards add headers about themselves. The wildcard does not stand for `authorization`.
    "authorization, content-type, idempotency-key, if-match, x-request-id, *",
  );
  response.setHeader(
    "access-control-expose-headers",
    "etag, idempotency-replayed, retry-after, x-parley-error, x-parley-session, x-request-id, x-trace-id",
  );
  response.setHeader("access-control-max-age", "600");
  response.setHeader("cross-origin-resource-policy", "cross-origin");
  response.setHeader("vary", "origin");
}
