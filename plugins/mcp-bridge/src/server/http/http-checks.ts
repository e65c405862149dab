import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import {
  type Accounts,
  type Grants,
  hasScope,
  type ProtectedResource,
  type SharedWindow,
  type ToolScope,
} from "@parley/core";
import { isGranted } from "../../guard/tool-policy.ts";
import { listGrantsCovering, toToolScopes } from "../grant-scopes.ts";
import { HttpError } from "./http-error.ts";
import { toMetadataUrl } from "./metadata-url.ts";

const REQUESTS_PER_MINUTE = 600;
export const RATE_WINDOW_MS = 60_000;
/** Caller id where no credential is required. */
export const ANONYMOUS_ID = "loopback";
const METHODS = ["POST", "GET", "DELETE"];

export interface HttpChecksDeps {
  readonly accounts: () => Accounts | undefined;
  /** Returns the grants of clients; absent when clients cannot log in. */
  readonly grants?: () => Grants | undefined;
  readonly resource?: ProtectedResource;
  /** Returns the counter of the requests of each credential in the last minute. */
  readonly requestCounts: () => SharedWindow;
  /** Allowed host names besides those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Allowed origins besides those of this machine. */
  readonly allowedOrigins: readonly string[];
  /** True when callers on this machine need no credential. */
  readonly isOpenOnLoopback: boolean;
}

/** Caller over HTTP. */
export interface HttpCaller {
  /** Id of the credential. */
  readonly id: string;
  /** Tool scopes that a person granted to the client. Absent: all configured ones. */
  readonly granted?: readonly ToolScope[];
}

/** Checks a request before the protocol does, in a fixed order; the body is read after the checks. */
export interface HttpChecks {
  /** True for a request of a page from a configured origin; loopback origins count only if they are configured. */
  isAllowedOrigin(request: IncomingMessage): boolean;
  /** Checks the Host and Origin headers. */
  checkHost(request: IncomingMessage): void;
  /** Returns the OAuth metadata for clients; undefined when OAuth login is off. */
  getMetadata(request: IncomingMessage): object | undefined;
  authenticate(request: IncomingMessage): Promise<HttpCaller>;
  /** Checks that the client's grant covers a scope. */
  checkScope(request: IncomingMessage, caller: HttpCaller, needed: ToolScope): void;
  /** Checks method and content types, and counts the request towards the rate limit. */
  checkRequest(request: IncomingMessage, credentialId: string): Promise<void>;
}

export function createHttpChecks(deps: HttpChecksDeps): HttpChecks {
  const { accounts, grants, resource, requestCounts, allowedHosts, allowedOrigins, isOpenOnLoopback } = deps;
  const isAllowedPage = ({ headers }: IncomingMessage) =>
    headers.origin !== undefined && allowedOrigins.includes(headers.origin);

  const countUse = async (credentialId: string) => {
    const waitMs = await requestCounts().use(credentialId, REQUESTS_PER_MINUTE);
    if (waitMs === 0) return;
    const headers = { "retry-after": String(Math.ceil(waitMs / 1000)) };
    throw new HttpError(429, `more than ${REQUESTS_PER_MINUTE} requests a minute`, { headers });
  };

  const metadata = ({ headers }: IncomingMessage) => {
    const address = resource?.addressAt(headers.host ?? "");
    return address === undefined ? undefined : grants?.()?.metadata(address);
  };
  /** Returns the `WWW-Authenticate` challenge, with the login metadata where OAuth login is on. */
  const challenge = (request: IncomingMessage, params: Readonly<Record<string, string>>) => {
    const address = resource?.addressAt(request.headers.host ?? "");
    const hasLogin = address !== undefined && metadata(request) !== undefined;
    const all = { ...params, ...(hasLogin && { resource_metadata: toMetadataUrl(address) }) };
    const written = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
    return { "www-authenticate": ["Bearer", written.join(", ")].join(" ").trim() };
  };

  return {
    isAllowedOrigin: isAllowedPage,
    getMetadata: metadata,
    checkHost(request) {
      const { host, origin } = request.headers;
      const name = URL.parse(`http://${host ?? ""}`)?.hostname ?? "";
      if (!isLoopbackHost(name) && !allowedHosts.includes(name)) {
        throw new HttpError(403, "host: this name is not served here");
      }
      if (origin === undefined || isAllowedPage(request)) return;
      if (!isLoopbackHost(URL.parse(origin)?.hostname ?? "")) {
        throw new HttpError(403, "origin: this page may not call");
      }
    },
    async authenticate(request) {
      const { headers, socket } = request;
      const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
      if (headers.authorization === undefined && isOpenOnLoopback && isLoopbackHost(address))
        return { id: ANONYMOUS_ID };
      const secret = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
      const caller = secret === undefined ? undefined : await accounts()?.authenticate(secret, address);
      if (caller && hasScope(caller, "mcp")) return { id: caller.credentialId };
      const grant = secret === undefined ? undefined : await grants?.()?.authenticate(secret, address);
      if (grant) return { id: grant.id, granted: toToolScopes(grant.scopes) };
      throw new HttpError(401, "an API key with scope mcp is needed, or to sign in", {
        headers: challenge(request, headers.authorization === undefined ? {} : { error: "invalid_token" }),
      });
    },
    checkScope(request, { granted }, needed) {
      if (isGranted({ scope: needed }, granted)) return;
      const scope = listGrantsCovering(needed).join(" ");
      throw new HttpError(403, `insufficient_scope: the person who signed in allowed less than ${needed}`, {
        headers: challenge(request, { error: "insufficient_scope", scope }),
      });
    },
    async checkRequest({ method = "", headers }, credentialId) {
      if (!METHODS.includes(method)) throw new HttpError(405, "method", { headers: { allow: METHODS.join(", ") } });
      if (method === "POST" && toMediaTypes(headers["content-type"])[0] !== "application/json") {
        throw new HttpError(415, "content-type: must be application/json");
      }
      const accepted = toMediaTypes(headers.accept);
      const wanted = { POST: ["application/json", "text/event-stream"], GET: ["text/event-stream"] }[method] ?? [];
      const missing = wanted.find((type) => !accepted.includes(type));
      if (missing) throw new HttpError(406, `accept: must list ${missing}`);
      await countUse(credentialId);
    },
  };
}

/** True for `localhost` or an address of the loopback network, also in brackets. */
export function isLoopbackHost(name: string): boolean {
  const bare = name.replaceAll(/[[\]]/g, "");
  return bare === "localhost" || bare === "::1" || (isIP(bare) === 4 && bare.startsWith("127."));
}

function toMediaTypes(header: string | undefined): readonly string[] {
  return (header ?? "").split(",").map((part) => part.split(";", 1)[0]?.trim().toLowerCase() ?? "");
}
