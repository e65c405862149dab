import { AsyncLocalStorage } from "node:async_hooks";
import { currentWork } from "../inbound/request-work.ts";

/** The signal of the call that is running, which ends its requests. */
export const callSignal: AsyncLocalStorage<AbortSignal> = new AsyncLocalStorage();

type Fetch = typeof fetch;

/** Survives a reload of this module, so that the global function is replaced once. */
const SCOPE = Symbol.for("parley.chat-sdk.network");

/** Returns a `fetch` that sends requests to the other API server that is configured, also those for which the package ignores it. */
export function redirectToApiUrl(given: Fetch, fixedUrl: string | undefined, apiUrl: unknown): Fetch {
  if (fixedUrl === undefined || typeof apiUrl !== "string" || apiUrl === "") return given;
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return given(url.startsWith(`${fixedUrl}/`) ? apiUrl + url.slice(fixedUrl.length) : input, init);
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
  const signals = [...own, callSignal.getStore(), currentWork.getStore()?.lookups].filter((one) => !!one);
  return signals.length > 0 ? AbortSignal.any(signals) : null;
}
