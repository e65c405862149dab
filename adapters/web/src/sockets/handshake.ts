import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { type Accounts, AppError, type Caller } from "@parley/core";

export const PROTOCOL = "parley.v1";
const BEARER_PROTOCOL = "bearer.";
const COOKIE = "svc_auth_token";

export interface HandshakeParts {
  readonly accounts: Accounts;
  /** The `[web]` section. */
  readonly web: Readonly<Record<string, string>>;
  /** Where the server is bound. */
  readonly boundTo: string;
}

/** Who opens a socket; without `caller` it must sign in with its first frame. */
export interface Opening {
  readonly caller: Caller | undefined;
  readonly secret: string;
  readonly address: string;
}

/** The checks before the upgrade, in the order of realtime.md §1; throws the code of the first that fails. */
export async function checkHandshake(request: IncomingMessage, parts: HandshakeParts): Promise<Opening> {
  const { headers } = request;
  const host = headers.host ?? "";
  if (!isOwnHost(host, parts)) throw new AppError("permission_denied", "host: is not an address of this service");
  const origin = headers.origin;
  if (origin !== undefined && !isAllowedOrigin(origin, host, request, parts)) {
    throw new AppError("permission_denied", "origin: is not allowed");
  }
  const address = request.socket.remoteAddress ?? "";
  const bearer = bearerOf(headers.authorization) ?? bearerProtocol(headers["sec-websocket-protocol"]);
  const secret = bearer ?? (origin === undefined ? undefined : cookieOf(headers.cookie));
  if (secret === undefined) {
    if (origin === undefined) throw new AppError("permission_denied", "origin: is missing");
    return { caller: undefined, secret: "", address };
  }
  const caller = await parts.accounts.authenticate(secret, address);
  if (!caller) throw new AppError("unauthorized", "sign in first");
  return { caller, secret, address };
}

/** The protocol a server names; never the entry that holds a secret. */
export function chosenProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(PROTOCOL) ? PROTOCOL : false;
}

// A page elsewhere can make a browser connect here under any name (DNS rebinding), but not under an address.
function isOwnHost(host: string, { web, boundTo }: HandshakeParts): boolean {
  const name = hostName(host);
  const bound = isIP(boundTo) === 6 ? `[${boundTo}]` : boundTo;
  if (name === "localhost" || name === bound) return true;
  if (web.public_base_url && URL.parse(web.public_base_url)?.hostname === name) return true;
  const isEverywhere = boundTo === "::" || boundTo === "0.0.0.0";
  const isLoopback = name === "127.0.0.1" || name === "[::1]";
  return isLoopback || (isEverywhere && isIP(name.replaceAll(/[[\]]/g, "")) !== 0);
}

function isAllowedOrigin(origin: string, host: string, request: IncomingMessage, { web }: HandshakeParts): boolean {
  const scheme = isForwardedTls(request, web.trusted_proxies ?? "") ? "https" : "http";
  const allowed = [
    URL.parse(`${scheme}://${host}`)?.origin,
    URL.parse(web.public_base_url ?? "")?.origin,
    ...(web.cors_origins ?? "").split(",").map((entry) => entry.trim()),
  ];
  return allowed.includes(origin);
}

function isForwardedTls({ socket, headers }: IncomingMessage, trustedProxies: string): boolean {
  const peer = socket.remoteAddress?.replace(/^::ffff:/, "") ?? "";
  if (headers["x-forwarded-proto"] !== "https" || isIP(peer) === 0) return false;
  const trusted = new BlockList();
  for (const entry of trustedProxies.split(",").map((part) => part.trim())) {
    const [network = "", prefix] = entry.split("/");
    const family = isIP(network) === 6 ? "ipv6" : "ipv4";
    if (isIP(network) === 0) continue;
    if (prefix) trusted.addSubnet(network, Number(prefix), family);
    else trusted.addAddress(network, family);
  }
  return trusted.check(peer, isIP(peer) === 6 ? "ipv6" : "ipv4");
}

function hostName(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? "";
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

function bearerProtocol(offered: string | undefined): string | undefined {
  const entry = (offered ?? "")
    .split(",")
    .map((part) => part.trim())
    .find((part) => part.startsWith(BEARER_PROTOCOL));
  return entry?.slice(BEARER_PROTOCOL.length);
}

function cookieOf(header: string | undefined): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const [name, value] = part.trim().split("=", 2);
    if (name === COOKIE) return value;
  }
  return undefined;
}
