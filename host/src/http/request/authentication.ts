import type { Request } from "@hapi/hapi";
import {
  Accounts,
  ANONYMOUS,
  type AppError,
  type Caller,
  hasScope,
  type Resolver,
  type Route,
  type Scope,
  type SharedWindow,
  SharedWindows,
  Signals,
  toSharedError,
} from "@parley/core";
import type { ClientFacts } from "@parley/core/http";
import { createMemoryWindow } from "@parley/core/limits";
import { readHeaders } from "./request-headers.ts";

const COOKIE_NAME = "svc_auth_token";
const MINUTE_MS = 60_000;

export interface Authentication {
  /** Authenticates a request and checks its permission; throws when it is not allowed. Without a route any login is sufficient. */
  check(
    request: Request,
    client: ClientFacts,
    route: Pick<Route, "auth" | "scope" | "method" | "admits"> | undefined,
  ): Promise<Caller>;
}

/** Creates the authentication. A bearer token takes precedence over the cookie; a changing request by cookie needs proof of the same origin. */
export function createAuthentication(from: Resolver): Authentication {
  const openWindow = createUseWindow(from);
  return {
    async check(request, client, route) {
      // Another node may have revoked the credential just before.
      if (isChange(request) && route?.auth !== "open") await from.find(Signals)?.catchUp();
      const caller = await identify(request, client, from);
      if (route?.auth === "open") return caller;
      if (caller.kind === "anonymous" && route?.admits?.(request.path, request.query as Record<string, string>))
        return caller;
      if (caller.kind === "anonymous") throw await createUnauthorizedError(request, from);
      await countUse(openWindow(), caller);
      if (!route) return caller;
      const scope = route.scope ?? toDefaultScope(route.method);
      if (!hasScope(caller, scope)) throw toSharedError("permission_denied", "scope_missing", { scope });
      return caller;
    },
  };
}

/** Returns the known reason the presented credential is rejected, else a general `unauthorized` error. */
async function createUnauthorizedError(request: Request, from: Resolver): Promise<AppError> {
  const secret = readCredential(request);
  const known = secret === undefined ? undefined : await from.find(Accounts)?.refusal?.(secret);
  return known ?? toSharedError("unauthorized", "sign_in_first", {});
}

export function toDefaultScope(method: string): Scope {
  return method.toUpperCase() === "GET" ? "read" : "write";
}

async function identify(request: Request, client: ClientFacts, from: Resolver): Promise<Caller> {
  const accounts = from.find(Accounts);
  const secret = readCredential(request);
  const caller = secret === undefined ? undefined : await accounts?.authenticate(secret, client.address);
  if (!caller) return ANONYMOUS;
  if (readHeaders(request).authorization !== undefined) return caller;
  if (isChange(request) && !isSameOrigin(request, client)) {
    throw toSharedError("permission_denied", "other_site", {});
  }
  return caller;
}

function isChange({ method }: Request): boolean {
  return !["get", "head", "options"].includes(method);
}

function readCredential(request: Request): string | undefined {
  const { authorization, cookie } = readHeaders(request);
  return authorization === undefined ? readCookie(cookie) : /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

function isSameOrigin(request: Request, { origin }: ClientFacts): boolean {
  const headers = readHeaders(request);
  const site = headers["sec-fetch-site"];
  return site === undefined ? headers.origin === origin : site === "same-origin";
}

/** Creates the window that counts requests, shared by all processes where a plugin provides `SharedWindows`. */
function createUseWindow(from: Resolver): () => SharedWindow {
  const own = createMemoryWindow(MINUTE_MS, () => performance.now());
  return () => from.find(SharedWindows)?.open("credentials", MINUTE_MS) ?? own;
}

async function countUse(window: SharedWindow, { credentialId, rateLimitPerMinute }: Caller): Promise<void> {
  if (rateLimitPerMinute === 0) return;
  const waitMs = await window.use(credentialId, rateLimitPerMinute);
  if (waitMs === 0) return;
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  throw toSharedError("rate_limited", "too_many_a_minute", { most: rateLimitPerMinute }, { retryAfterS });
}

function readCookie(header: string | undefined): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const [name, value] = part.trim().split("=", 2);
    if (name === COOKIE_NAME) return value;
  }
  return undefined;
}
