import { AppError, DeliveryError, type DeliveryFailure } from "./errors.ts";

/** The connection was never made, so nothing was written. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/**
 * What a failed HTTP call means for a delivery: `not_sent` when nothing was written, `permanent` when the address may
 * not be reached at all, else `mayHaveArrived` (`ambiguous`, or `unavailable` where a repeat is safe).
 */
export function connectionFailure(what: string, error: unknown, mayHaveArrived: DeliveryFailure): DeliveryError {
  if (DeliveryError.is(error)) return error;
  if (AppError.is(error) && error.code === "bad_request") return new DeliveryError("permanent", error.message);
  const code = codesOf(error).find((one) => NEVER_CONNECTED.test(one));
  if (code !== undefined) return new DeliveryError("not_sent", `${what}: no connection (${code})`, { cause: error });
  const reason = codesOf(error)[0] ?? (error instanceof Error ? error.name : "failed");
  return new DeliveryError(mayHaveArrived, `${what}: the connection ended before the answer (${reason})`, {
    cause: error,
  });
}

/** Codes of an error and of what caused it, outermost first. */
function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  for (let one = error; one instanceof Error && codes.length < 8; one = one.cause) {
    if ("code" in one && typeof one.code === "string" && !AppError.is(one)) codes.push(one.code);
  }
  return codes;
}
