import { BlockList, isIP } from "node:net";
import { hostname } from "node:os";

/** Client address and origin as the connection and trusted proxies report them. */
export interface ClientFacts {
  /** The client's address, trusted proxies resolved. */
  readonly address: string;
  readonly isTls: boolean;
  /** `https://host[:port]` as the client sees the service. */
  readonly origin: string;
  /** True when the request's host name belongs to this service; protects against DNS rebinding. */
  readonly isOwnHost: boolean;
}

/** Inputs of the decision: the `[web]` section of config.ini and the address the service listens on. */
export interface ClientFactsOptions {
  readonly web: Readonly<Record<string, string | undefined>>;
  readonly boundTo: string;
}

/** A request before authentication. */
export interface RequestHead {
  /** Request target as received; an absolute URL carries its own host name. */
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Creates the reader of client facts; `X-Forwarded-*` is trusted only from the addresses of `web.trusted_proxies`. */
export function createClientFacts({ web, boundTo }: ClientFactsOptions): (request: RequestHead) => ClientFacts {
  const { list: trusted } = parseNetworks(web.trusted_proxies ?? "");
  const isOwnHostName = createHostCheck(web, boundTo);
  return ({ url = "/", headers, socket }) => {
    const peer = toPlainAddress(socket.remoteAddress ?? "");
    const isTrusted = isListed(trusted, peer);
    const header = (name: string) => (isTrusted ? firstValue(headers[name]) : undefined);
    const isTls = header("x-forwarded-proto") === "https";
    const forwarded = header("x-forwarded-host");
    const host = [headers.host].flat()[0];
    const written = [host, readTargetHost(url)].filter((name) => name !== undefined);
    return {
      address: isTrusted ? resolveClientAddress(headers["x-forwarded-for"], trusted, peer) : peer,
      isTls,
      origin: `${isTls ? "https" : "http"}://${forwarded ?? host ?? ""}`,
      isOwnHost: forwarded !== undefined || written.every(isOwnHostName),
    };
  };
}

/** Parses a comma-separated list of addresses and networks; also returns the invalid entries. */
export function parseNetworks(entries: string): { readonly list: BlockList; readonly wrong: readonly string[] } {
  const list = new BlockList();
  const wrong: string[] = [];
  for (const entry of entries.split(",").map((part) => part.trim())) {
    const [, network = "", prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const version = isIP(network);
    const bits = prefix === undefined ? undefined : Number(prefix);
    if (version === 0 || (bits ?? 0) > (version === 6 ? 128 : 32)) {
      if (entry !== "") wrong.push(entry);
    } else if (bits === undefined) list.addAddress(network, toIpFamily(network));
    else list.addSubnet(network, bits, toIpFamily(network));
  }
  return { list, wrong };
}

// A host name can be pointed to this address (DNS rebinding); an IP address cannot.
function createHostCheck(web: ClientFactsOptions["web"], boundTo: string): (host: string) => boolean {
  const allowed = (web.allowed_hosts ?? "").split(",").map((name) => toHostName(name.trim()));
  const published = URL.parse(web.public_base_url ?? "")?.hostname;
  const names = new Set([...allowed, published, toHostName(hostname()), "localhost"].filter(Boolean));
  const isLocal = isLoopback(toPlainAddress(boundTo));
  return (host) => {
    const name = toHostName(host);
    const address = name.replaceAll(/[[\]]/g, "");
    return names.has(name) || isLoopback(address) || (isIP(address) !== 0 && (!isLocal || address === boundTo));
  };
}

// Accepts only a name with an optional port; a user, a path or a list is no valid Host.
function toHostName(host: string): string {
  if (/[@,/\\?#\s]/.test(host)) return "";
  return URL.parse(`http://${host}`)?.hostname ?? "";
}

function readTargetHost(url: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
}

function isLoopback(address: string): boolean {
  return address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}

// Returns the last address that no trusted proxy wrote; earlier ones may be forged.
function resolveClientAddress(header: string | string[] | undefined, trusted: BlockList, peer: string): string {
  const hops = String(header ?? "")
    .split(",")
    .map((hop) => toPlainAddress(hop.trim()))
    .filter((hop) => isIP(hop) !== 0);
  return hops.findLast((hop) => !isListed(trusted, hop)) ?? hops[0] ?? peer;
}

function isListed(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, toIpFamily(address));
}

function toIpFamily(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

function toPlainAddress(address: string): string {
  return address.replace(/^::ffff:/, "");
}

function firstValue(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.split(",")[0]?.trim();
}
