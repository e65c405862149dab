import { AppError, networkOf } from "@parley/core";
import type { Connection } from "./connection.ts";

const MAX_SIGNED_IN = 1_000;
const MAX_SIGNED_IN_EACH = 50;
/** Who has not signed in yet has a share apart: nobody who has is kept out by them. */
const MAX_UNSIGNED = 64;
const MAX_UNSIGNED_EACH = 16;

/** Throws when there is no room for one more socket: of the account, or without one of the client's address. */
export function refuseTooMany(
  open: Iterable<Pick<Connection, "caller" | "address">>,
  { caller, address }: Pick<Connection, "caller" | "address">,
): void {
  const alike = [...open].filter((one) => (one.caller === undefined) === (caller === undefined));
  const own = alike.filter((one) =>
    caller ? one.caller?.accountId === caller.accountId : networkOf(one.address) === networkOf(address),
  );
  if (own.length >= (caller ? MAX_SIGNED_IN_EACH : MAX_UNSIGNED_EACH)) {
    throw new AppError("rate_limited", `too many open sockets of this ${caller ? "account" : "address"}`, {
      retryAfterS: 5,
    });
  }
  if (alike.length >= (caller ? MAX_SIGNED_IN : MAX_UNSIGNED)) {
    throw new AppError("unavailable", "too many open sockets", { retryAfterS: 5 });
  }
}
