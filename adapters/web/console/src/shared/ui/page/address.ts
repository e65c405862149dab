import { useParams, useSearch } from "@tanstack/react-router";
import { toJsonObject } from "../../json-object.ts";

/** Values after the `?` of an address. */
export type SearchValues = Readonly<Record<string, string | boolean | undefined>>;

/** Returns an address for a link or for `navigate`. Areas define their own paths, so the router's types know none. */
export function toAddress(to: string, search: SearchValues = {}) {
  // The router accepts any values, but its types none without a list of all pages.
  return { to, search: search as never };
}

/** Returns the named parameters of the current path, `$tab` in `/mcp/$tab`. */
export function usePathParams(): Readonly<Record<string, string | undefined>> {
  return useParams({ strict: false });
}

/** Returns a value of the current address, `trace` in `/gateway?trace=…`; undefined where it has none. */
export function useSearchText(name: string): string | undefined {
  const value = toJsonObject(useSearch({ strict: false }))[name];
  return value === undefined ? undefined : String(value);
}

/** Returns the address of a conversation, or of a message in it. */
export function toSessionAddress(sessionId: string, messageId?: string) {
  return toAddress(`/sessions/${encodeURIComponent(sessionId)}`, messageId === undefined ? {} : { message: messageId });
}
