import { AppError } from "@parley/core";
import { networkOf } from "@parley/core/limits";
import type { Connection } from "./connection.ts";

const MAX_SIGNED_IN = 1_000;
const MAX_SIGNED_IN_PER_ACCOUNT = 50;
/** Separate limit for unauthenticated sockets, so that they cannot block others. */
const MAX_UNSIGNED = 64;
const MAX_UNSIGNED_PER_ADDRESS = 16;

/**
 * Throws when too many sockets are open: of the account or in all, or unauthenticated ones of the address. When there are
 * too many unauthenticated ones in all, returns the oldest of them, which the caller closes.
 */
export function checkConnectionLimits<One extends Pick<Connection, "caller" | "address">>(
  open: Iterable<One>,
  { caller, address }: Pick<Connection, "caller" | "address">,
): One | undefined {
  const sameKind = [...open].filter((one) => (one.caller === undefined) === (caller === undefined));
  const own = sameKind.filter((one) =>
    caller ? one.caller?.accountId === caller.accountId : networkOf(one.address) === networkOf(address),
  );
  if (own.length >= (caller ? MAX_SIGNED_IN_PER_ACCOUNT : MAX_UNSIGNED_PER_ADDRESS)) {
    throw new AppError("rate_limited", `too many open sockets of this ${caller ? "account" : "address"}`, {
      retryAfterS: 5,
    });
  }
  if (!caller) return sameKind.length >= MAX_UNSIGNED ? sameKind[0] : undefined;
  if (sameKind.length >= MAX_SIGNED_IN) throw new AppError("unavailable", "too many open sockets", { retryAfterS: 5 });
  return undefined;
}
