import { isIP } from "node:net";

const MAX_LENGTH = 2_000;
/** Nothing that has a meaning in a header. */
const HOST_PATTERN = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/;

/** Where a client may have its answers sent: over TLS, or to a program of the person's own machine (RFC 8252 §7.3). */
export function isAllowedRedirect(text: string): boolean {
  const url = URL.parse(text);
  // Letters beyond ASCII, and marks that turn the direction of a line, would show another address than it is.
  if (!url || text.length > MAX_LENGTH || /[^\x21-\x7e]|[#\\]/.test(text) || !HOST_PATTERN.test(url.hostname))
    return false;
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || isLoopback(url);
}

/** Whether an address is one of those that were registered: letter by letter, but for the port of a program's own machine. */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  return isAllowedRedirect(asked) && registered.some((one) => one === asked || withoutPort(one) === withoutPort(asked));
}

export function isLoopback({ protocol, hostname }: URL): boolean {
  const address = hostname.replaceAll(/[[\]]/g, "");
  const isOwn = address === "localhost" || address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
  return protocol === "http:" && isOwn;
}

// Cut out of the text: an address that was parsed and written again is not the one that was registered.
function withoutPort(text: string): string {
  const url = URL.parse(text);
  return url && isLoopback(url) ? text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d{1,5}(?=[/?]|$)/i, "$1") : text;
}

/** The address with what is answered. */
export function appendQuery(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
