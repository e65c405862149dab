import { isIP } from "node:net";

const MAX_LENGTH = 2_000;
/** Host names without characters that have a meaning in a header. */
const HOST_PATTERN = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/;

/** Returns true for an allowed redirect URI: https, or a loopback address of the person's own machine (RFC 8252 §7.3). */
export function isAllowedRedirect(text: string): boolean {
  const url = URL.parse(text);
  // Non-ASCII letters, and marks that change the text direction, could make the address look like another one.
  if (!url || text.length > MAX_LENGTH || /[^\x21-\x7e]|[#\\]/.test(text) || !HOST_PATTERN.test(url.hostname))
    return false;
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || isLoopback(url);
}

/** Returns true when a URI equals a registered one; on loopback addresses the port may differ. */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  return isAllowedRedirect(asked) && registered.some((one) => one === asked || withoutPort(one) === withoutPort(asked));
}

export function isLoopback({ protocol, hostname }: URL): boolean {
  const address = hostname.replaceAll(/[[\]]/g, "");
  const isOwn = address === "localhost" || address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
  return protocol === "http:" && isOwn;
}

// Removes the port from the text itself, because a parsed and serialized address may differ from the registered one.
function withoutPort(text: string): string {
  const url = URL.parse(text);
  return url && isLoopback(url) ? text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d{1,5}(?=[/?]|$)/i, "$1") : text;
}

/** Appends the answer to the address as query parameters. */
export function appendQuery(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
