import type { ResponseObject } from "@hapi/hapi";

const SECURITY: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(self)",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** What every answer says to browsers, unless the row said it otherwise. */
export function addSecurityHeaders(response: ResponseObject): void {
  for (const [name, value] of Object.entries(SECURITY)) {
    if (response.headers[name] === undefined) response.header(name, value);
  }
}

/** Lets pages of the allowed origins call with a bearer token; never with the cookie. */
export function addCors(response: ResponseObject, origin: string | undefined, allowed: readonly string[]): void {
  if (origin === undefined || !allowed.includes(origin)) return;
  response.header("access-control-allow-origin", origin);
  response.header("access-control-allow-methods", "GET, POST, PUT, DELETE");
  response.header(
    "access-control-allow-headers",
    "authorization, content-type, idempotency-key, if-match, x-request-id",
  );
  response.header("access-control-expose-headers", "etag, idempotency-replayed, retry-after, x-request-id");
  response.header("access-control-max-age", "600");
  response.header("cross-origin-resource-policy", "cross-origin");
  response.vary("origin");
}
