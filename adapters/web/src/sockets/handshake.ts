import type { IncomingMessage } from "node:http";
import { type Accounts, AppError, acceptedLanguage, type Caller, toSharedError } from "@parley/core";
import { createClientFacts } from "@parley/core/http";

export const PROTOCOL = "parley.v1";
const BEARER_PROTOCOL = "bearer.";
const AUTH_COOKIE = "svc_auth_token";

export interface HandshakeDeps {
  readonly accounts: Accounts;
  /** The `[web]` section. */
  readonly web: Readonly<Record<string, string>>;
  /** Address the server is bound to. */
  readonly boundTo: string;
}

/** The client of a new socket; without `caller` it must authenticate with its first frame. */
export interface HandshakeResult {
  readonly caller: Caller | undefined;
  readonly secret: string;
  readonly address: string;
  /** Language of the texts that it receives. */
  readonly language: string;
}

/** Runs the checks before the upgrade in a fixed order; throws the code of the first that fails. */
export async function checkHandshake(request: IncomingMessage, deps: HandshakeDeps): Promise<HandshakeResult> {
  const { headers } = request;
  const facts = createClientFacts(deps)(request);
  if (!headers.host || !facts.isOwnHost)
    throw new AppError("permission_denied", "host: is not an address of this service");
  const origin = headers.origin;
  if (origin !== undefined && !isAllowedOrigin(origin, facts.origin, deps)) {
    throw new AppError("permission_denied", "origin: is not allowed");
  }
  const { address } = facts;
  const language = readLanguage(request);
  const bearer = parseBearer(headers.authorization) ?? parseBearerProtocol(headers["sec-websocket-protocol"]);
  const secret = bearer ?? (origin === undefined ? undefined : parseAuthCookie(headers.cookie));
  if (secret === undefined) {
    if (origin === undefined) throw new AppError("permission_denied", "origin: is missing");
    return { caller: undefined, secret: "", address, language };
  }
  const caller = await deps.accounts.authenticate(secret, address);
  if (!caller) throw (await deps.accounts.refusal?.(secret)) ?? toSharedError("unauthorized", "sign_in_first", {});
  return { caller, secret, address, language };
}

/** Returns the reader's language: the parameter `language` of the address, since pages cannot set headers, else the header. */
export function readLanguage({ url = "", headers }: IncomingMessage): string {
  const asked = URL.parse(url, "http://localhost")?.searchParams.get("language");
  return acceptedLanguage(asked ?? headers["accept-language"]);
}

/** Selects the protocol name; never the entry that contains a secret. */
export function selectProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(PROTOCOL) ? PROTOCOL : false;
}

function isAllowedOrigin(origin: string, own: string, { web }: HandshakeDeps): boolean {
  const allowed = [
    URL.parse(own)?.origin,
    URL.parse(web.public_base_url ?? "")?.origin,
    ...(web.cors_origins ?? "").split(",").map((entry) => entry.trim()),
  ];
  return allowed.includes(origin);
}

function parseBearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

function parseBearerProtocol(offered: string | undefined): string | undefined {
  const entry = (offered ?? "")
    .split(",")
    .map((part) => part.trim())
    .find((part) => part.startsWith(BEARER_PROTOCOL));
  return entry?.slice(BEARER_PROTOCOL.length);
}

function parseAuthCookie(header: string | undefined): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const [name, value] = part.trim().split("=", 2);
    if (name === AUTH_COOKIE) return value;
  }
  return undefined;
}
