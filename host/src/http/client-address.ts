import { BlockList, isIP } from "node:net";

export interface ClientFacts {
  /** The client's address, trusted proxies resolved. */
  readonly address: string;
  readonly isTls: boolean;
  /** `https://host[:port]` as the client sees the service. */
  readonly origin: string;
}

interface Incoming {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Believes `X-Forwarded-*` only from the addresses of `web.trusted_proxies`. */
export function createClientFacts(trustedProxies: string): (request: Incoming) => ClientFacts {
  const trusted = blockListOf(trustedProxies);
  return ({ headers, socket }) => {
    const peer = plain(socket.remoteAddress ?? "");
    const isTrusted = trusted !== undefined && contains(trusted, peer);
    const header = (name: string) => (isTrusted ? first(headers[name]) : undefined);
    const isTls = header("x-forwarded-proto") === "https";
    const host = header("x-forwarded-host") ?? first(headers.host) ?? "";
    return {
      address: isTrusted ? forwardedFor(headers["x-forwarded-for"], trusted, peer) : peer,
      isTls,
      origin: `${isTls ? "https" : "http"}://${host}`,
    };
  };
}

function blockListOf(entries: string): BlockList | undefined {
  const list = new BlockList();
  for (const entry of entries.split(",").map((part) => part.trim())) {
    const [network = "", prefix] = entry.split("/");
    const family = isIP(network) === 6 ? "ipv6" : "ipv4";
    if (isIP(network) === 0) continue;
    if (prefix) list.addSubnet(network, Number(prefix), family);
    else list.addAddress(network, family);
  }
  return list.rules.length > 0 ? list : undefined;
}

// The last address that no trusted proxy wrote: those before it may be made up.
function forwardedFor(header: string | string[] | undefined, trusted: BlockList, peer: string): string {
  const hops = String(header ?? "")
    .split(",")
    .map((hop) => plain(hop.trim()))
    .filter((hop) => isIP(hop) !== 0);
  return hops.findLast((hop) => !contains(trusted, hop)) ?? hops[0] ?? peer;
}

function contains(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
}

function plain(address: string): string {
  return address.replace(/^::ffff:/, "");
}

function first(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.split(",")[0]?.trim();
}
