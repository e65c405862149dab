import { AsyncLocalStorage } from "node:async_hooks";
import { currentWork } from "../inbound/request-work.ts";

/** A call of a package for which it makes requests. */
export interface PackageCall {
  /** Ends the requests. */
  readonly signal: AbortSignal;
  /** Is equal for every repeat of a send. */
  readonly key?: string;
}

/** The call that is running. */
export const currentCall: AsyncLocalStorage<PackageCall> = new AsyncLocalStorage();

type Fetch = typeof fetch;

/** Survives a reload of this module, so that the global function is replaced once. */
const SCOPE = Symbol.for("parley.chat-sdk.network");

/** Addresses of a package's requests that the service changes. */
export interface RequestAddresses {
  /** Addresses that requests of the package begin with, whatever its `apiUrl`. */
  readonly fixedUrls?: readonly string[];
  /** Parameter of a request that posts a message, by which the platform recognizes a repeat. */
  readonly keyParameter?: string;
}

/** Returns a `fetch` that sends requests to the API server that is configured, and marks repeats of a send. */
export function createPackageFetch(
  given: Fetch,
  { fixedUrls = [], keyParameter }: RequestAddresses,
  apiUrl: unknown,
): Fetch {
  const server = typeof apiUrl === "string" ? apiUrl.replace(/\/$/, "") : "";
  return (input, init) => {
    const asked = input instanceof Request ? input.url : String(input);
    const fixedUrl = server === "" ? undefined : fixedUrls.find((one) => asked.startsWith(`${one}/`));
    const url = new URL(fixedUrl === undefined ? asked : server + asked.slice(fixedUrl.length));
    const key = currentCall.getStore()?.key;
    const isPost = init?.method === "POST" && url.pathname.endsWith("/messages");
    if (keyParameter !== undefined && key !== undefined && isPost) url.searchParams.set(keyParameter, key);
    return given(input instanceof Request ? new Request(url, input) : url, init);
  };
}

/**
 * Runs work of a package: requests that it makes by the global `fetch` are made by the channel's own, so that its rules for outgoing
 * addresses apply, and end with the call. A package with another client is not affected.
 */
export function runWithNetwork<Result>(given: Fetch, work: () => Result): Result {
  return getScope().run(given, work);
}

function getScope(): AsyncLocalStorage<Fetch> {
  const found: unknown = Reflect.get(globalThis, SCOPE);
  if (found instanceof AsyncLocalStorage) return found;
  const scope = new AsyncLocalStorage<Fetch>();
  const direct = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const given = scope.getStore();
    if (!given) return direct(input, init);
    // The channel's own function ends at the global one.
    return scope.exit(() => given(input, { ...init, signal: joinSignals(init?.signal) }));
  };
  Reflect.set(globalThis, SCOPE, scope);
  return scope;
}

/** Returns a signal that ends a request with its call; null without any. */
export function joinSignals(...own: readonly (AbortSignal | null | undefined)[]): AbortSignal | null {
  const signals = [...own, currentCall.getStore()?.signal, currentWork.getStore()?.lookups].filter((one) => !!one);
  return signals.length > 0 ? AbortSignal.any(signals) : null;
}
