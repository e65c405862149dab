import { AppError } from "@parley/core";
import { networkOf } from "@parley/core/limits";
import type { Connection } from "./connection.ts";

const MAX_SIGNED_IN = 1_000;
const MAX_SIGNED_IN_PER_ACCOUNT = 50;
/** Separate limit for unauthenticated sockets, so that they cannot block others. */
const MAX_UNSIGNED = 64;
const MAX_UNSIGNED_PER_ADDRESS = 16;

/**
 * Throws when the limit of sockets is reached: of the account, or for unauthenticated ones of the address. When all
 * unauthenticated sockets reach theirs, returns the one that has been silent longest, to be closed.
 */
export function checkConnectionLimits<One extends Pick<Connection, "caller" | "address">>(
  open: Iterable<One>,
  { caller, address }: Pick<Connection, "caller" | "address">,
): One | undefined {
  const alike = [...open].filter((one) => (one.caller === undefined) === (caller === undefined));
  const own = alike.filter((one) =>
    caller ? one.caller?.accountId === caller.accountId : networkOf(one.address) === networkOf(address),
  );
  if (own.length >= (caller ? MAX_SIGNED_IN_PER_ACCOUNT : MAX_UNSIGNED_PER_ADDRESS)) {
    throw new AppError("rate_limited", `too many open sockets of this ${caller ? "account" : "address"}`, {
      retryAfterS: 5,
    });
  }
  if (!caller) return alike.length >= MAX_UNSIGNED ? alike[0] : undefined;
  if (alike.length >= MAX_SIGNED_IN) throw new AppError("unavailable", "too many open sockets", { retryAfterS: 5 });
  return undefined;
}
