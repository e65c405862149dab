import { lookup as resolveName } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import type { Egress, EgressPolicy } from "@parley/core";
import { withTimeout } from "../lifecycle/with-timeout.ts";
import { verbatim } from "../sentences.ts";
import { hostTexts } from "../texts.ts";
import type { Address, Lookup, Send } from "./egress-client.ts";

type Reach = EgressPolicy["reach"];
export type Resolve = (name: string) => Promise<readonly Address[]>;

/** Networks of cloud metadata services, which hold credentials; blocked even where private addresses are allowed. */
const METADATA_NETWORKS = [
  "169.254.0.0/16",
  "100.100.100.200/32",
  "168.63.129.16/32",
  "fd00:ec2::254/128",
  "fd20:ce::254/128",
  "fd00:42::42/128",
];
const BLOCKED = createBlockList([
  ...METADATA_NETWORKS,
  "0.0.0.0/8",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // IPv4 addresses in IPv6 notation: translators, tunnels, and old notations.
  "::/96",
  "::ffff:0:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2001::/32",
  "2002::/16",
  "100::/64",
  "2001:db8::/32",
  "fec0::/10",
  "fe80::/10",
  "ff00::/8",
]);
const LOOPBACK = createBlockList(["127.0.0.0/8", "::1/128"]);
const PRIVATE = createBlockList(["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]);

/** Milliseconds that a check waits for a name server before the name counts as unresolved. */
const RESOLVE_TIMEOUT_MS = 2_000;

/** Creates the HTTP client. `resolve` replaces the system's resolver in tests. */
export function createEgress(resolve: Resolve = (name) => resolveName(name, { all: true })): Egress {
  // Connects exactly to the checked addresses; the name is not resolved a second time.
  const lookup: Lookup = async (name, reach) => {
    const found = await resolve(name);
    if (found.length === 0 || found.some(({ address }) => !mayReach(address, reach))) throw createBlockedError(name);
    return found;
  };
  let client: Promise<Send> | undefined;
  const send: Send = async (...request) => {
    client ??= import("./egress-client.ts").then(({ createClient }) => createClient(lookup));
    return (await client)(...request);
  };
  return {
    fetch(policy) {
      return (async (input: string | URL | Request, init?: RequestInit) => {
        // A `Request` brings its method, headers and body; they are read from it like from `init`.
        let url = new URL(input instanceof Request ? input.url : input);
        let asked: RequestInit = input instanceof Request ? { ...toRequestInit(input), ...init } : { ...init };
        for (let redirects = 0; ; redirects += 1) {
          checkUrl(url, policy.reach);
          const response = await send(url, { ...asked, redirect: "manual" }, policy);
          const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
          if (location === null || redirects >= (policy.redirects ?? 0)) return response;
          await response.body?.cancel();
          const next = resolveRedirect(url, location);
          asked = toRedirectedRequest(asked, response.status, next.origin === url.origin);
          url = next;
        }
      }) as typeof fetch;
    },
    async check(address, reach) {
      const url = new URL(address);
      checkUrl(url, reach);
      if (isIP(toBareHost(url)) !== 0) return;
      const found = await withTimeout(resolve(url.hostname), RESOLVE_TIMEOUT_MS, verbatim("no answer")).catch(() => []);
      if (found.some(({ address: one }) => !mayReach(one, reach))) throw createBlockedError(url.hostname);
    },
  };
}

function toRequestInit(request: Request): RequestInit {
  const { method, headers, body, signal } = request;
  return { method, headers, signal, ...(body && { body, duplex: "half" }) } as RequestInit;
}

/** Headers that may be sent to another origin after a redirect; all others are only sent to the first one. */
const CROSS_ORIGIN_HEADERS = ["accept", "accept-language", "content-type", "range", "user-agent"];

/** Returns the request after a redirect: a 303, and a 301 or 302 of a POST, become GET. Throws when a body would go to another origin. */
function toRedirectedRequest(asked: RequestInit, status: number, isSameOrigin: boolean): RequestInit {
  const headers = new Headers(asked.headers);
  if (!isSameOrigin)
    for (const name of [...headers.keys()]) if (!CROSS_ORIGIN_HEADERS.includes(name)) headers.delete(name);
  const becomesGet = status === 303 || ((status === 301 || status === 302) && asked.method?.toUpperCase() === "POST");
  if (!becomesGet && !isSameOrigin && asked.body) throw hostTexts.error("upstream_failed", "egress_redirect_body");
  if (!becomesGet) return { ...asked, headers };
  const { body: _body, ...rest } = asked;
  headers.delete("content-type");
  return { ...rest, method: "GET", headers };
}

/** Checks scheme, user info and literal address before any connection. */
function checkUrl(url: URL, reach: Reach): void {
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw hostTexts.error("bad_request", "egress_scheme", {}, { field: "url" });
  if (url.username || url.password) throw hostTexts.error("bad_request", "egress_user", {}, { field: "url" });
  const host = toBareHost(url);
  if (isIP(host) !== 0 && !mayReach(host, reach)) throw createBlockedError(host);
}

function toBareHost({ hostname }: URL): string {
  return hostname.replaceAll(/[[\]]/g, "");
}

function mayReach(address: string, reach: Reach): boolean {
  const plain = unmapIpv4(address);
  const family = isIP(plain) === 6 ? "ipv6" : "ipv4";
  // Checked first, because `::1` is also in the range of old notations.
  if (LOOPBACK.check(plain, family)) return reach !== "public";
  if (BLOCKED.check(plain, family)) return false;
  if (PRIVATE.check(plain, family)) return reach === "private";
  return true;
}

// Converts `::ffff:127.0.0.1` and `::ffff:7f00:1` to the IPv4 address.
function unmapIpv4(address: string): string {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted) return dotted;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (!high || !low) return address;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join(".");
}

function resolveRedirect(from: URL, location: string): URL {
  const next = URL.parse(location, from.href);
  if (!next) throw hostTexts.error("upstream_failed", "egress_redirect");
  return next;
}

function createBlockedError(name: string): Error {
  return hostTexts.error("bad_request", "egress_refused", { name }, { field: "url" });
}

function createBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix = "32"] = network.split("/");
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
