import type { Egress } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";

const RESPONSE_TIMEOUT_MS = 15_000;
const MAX_BYTES = 512 * 1024;
const METADATA_REDIRECTS = 3;

/**
 * Creates a `fetch` for authorization. An administrator entered the server's own host, so it may be private; hosts that
 * the server names must be public. If the server uses https, all requests do.
 */
export function createOAuthFetch(serverUrl: string, egress: Egress): typeof fetch {
  const limits = { timeoutMs: RESPONSE_TIMEOUT_MS, maxBytes: MAX_BYTES };
  const fetchPrivate = egress.fetch({ reach: "private", ...limits });
  const fetchPublic = egress.fetch({ reach: "public", ...limits });
  const fetchMetadata = egress.fetch({ reach: "public", redirects: METADATA_REDIRECTS, ...limits });
  return (async (input: string | URL, init?: RequestInit) => {
    const url = new URL(input);
    checkScheme(url, serverUrl);
    if (url.hostname === new URL(serverUrl).hostname) return fetchPrivate(url, init);
    return (init?.method ?? "GET") === "GET" ? fetchMetadata(url, init) : fetchPublic(url, init);
  }) as typeof fetch;
}

/** Checks the scheme of a URL; throws `bad_request` for other schemes, and for http when the server itself uses https. */
export function checkScheme({ protocol, host }: URL, serverUrl: string): void {
  const allowed = new URL(serverUrl).protocol === "https:" ? ["https:"] : ["https:", "http:"];
  if (!allowed.includes(protocol))
    throw mcpBridgeTexts.error("bad_request", "by_scheme", { host, schemes: allowed.join(" ") });
}
