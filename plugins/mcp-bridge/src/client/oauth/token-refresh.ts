import { randomUUID } from "node:crypto";
import type { Clock, Collection, Logger } from "@parley/core";
import type { Entry } from "../servers/entry.ts";
import type { SealedRecord, SealedRecords } from "./sealed-records.ts";
import type { SignIn } from "./sign-in-records.ts";

/** Duration of the lease in milliseconds; after it, another process may renew. */
const LEASE_MS = 30_000;
const RESPONSE_TIMEOUT_MS = 20_000;
const RECHECK_INTERVAL_MS = 1_000;

type Server = Pick<Entry, "id" | "url">;

export interface TokenRefreshDeps {
  readonly collection: Collection<SealedRecord>;
  readonly signIns: SealedRecords<SignIn>;
  readonly callFor: (server: Server) => typeof fetch;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Returns a token that replaces a rejected one; undefined when a person must sign in. */
export type RefreshToken = (server: Server, rejected: string | undefined) => Promise<string | undefined>;

/**
 * Creates the token refresh: one process at a time renews a server's token and the others read the stored result,
 * because a refresh token may be single-use and some servers revoke the whole grant on reuse.
 */
export function createTokenRefresh({ collection, signIns, callFor, clock, log }: TokenRefreshDeps): RefreshToken {
  const renewals = new Map<string, Promise<string | undefined>>();
  const getToken = async (server: Server) => (await signIns.get(server))?.tokens?.access_token;
  /** Acquires the lease to renew the token; false when there is a new token already. */
  const acquireLease = async (server: Server, rejected: string, by: string): Promise<boolean> => {
    const seen = { by: "", sinceMs: 0 };
    for (;;) {
      using change = waitForChange(collection, server.id);
      const overdue = clock.monotonic() - seen.sinceMs >= LEASE_MS ? seen.by : undefined;
      const has = await signIns.take(server, by, ({ tokens }) => tokens?.access_token === rejected, overdue);
      if (has === by) return true;
      if (has === undefined) return false;
      if (has !== seen.by) Object.assign(seen, { by: has, sinceMs: clock.monotonic() });
      await change.came;
    }
  };
  const refreshOnce = async (server: Server, by: string) => {
    const signIn = await signIns.get(server);
    if (!signIn) return;
    const call = withTimeout(RESPONSE_TIMEOUT_MS, callFor(server));
    const tokens = await (await import("./oauth-flow.ts")).renewTokens(signIn, call);
    const isStored = await signIns.give(server, by, { ...signIn, tokens });
    if (isStored && !tokens) log.warn("a server does not renew its token: sign in again", { server: server.id });
  };
  const refresh: RefreshToken = async (server, rejected) => {
    const by = randomUUID();
    if (rejected === undefined || !(await acquireLease(server, rejected, by))) return getToken(server);
    try {
      await refreshOnce(server, by);
    } catch (error) {
      await signIns.give(server, by);
      throw error;
    }
    return getToken(server);
  };
  return (server, rejected) => {
    const running = renewals.get(server.id) ?? refresh(server, rejected).finally(() => renewals.delete(server.id));
    renewals.set(server.id, running);
    return running;
  };
}

/** Resolves when another process changes the record, or after a short time. */
function waitForChange(
  collection: Collection<SealedRecord>,
  id: string,
): Disposable & { readonly came: Promise<void> } {
  const { promise: came, resolve } = Promise.withResolvers<void>();
  const end = collection.onElsewhere((changed) => {
    if (changed === id) resolve();
  });
  const timer = setTimeout(resolve, RECHECK_INTERVAL_MS);
  return {
    came,
    [Symbol.dispose]() {
      end();
      clearTimeout(timer);
    },
  };
}

function withTimeout(ms: number, call: typeof fetch): typeof fetch {
  return (input, init) => call(input, { ...init, signal: AbortSignal.timeout(ms) });
}
