import { AppError, type Localized, type LocalizedError } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";

// Errors are recognized by name and code, because the protocol's library is loaded with the first connection only.
const REQUEST_TIMEOUT = -32_001;

/** Returns the HTTP status of a server's rejection; undefined for another failure. */
export function getHttpStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || isProtocolError(error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "number" && code >= 100 && code < 600 ? code : undefined;
}

/** Returns the HTTP status of a failure; 0 when there is none. */
export function getRejectionStatus(error: unknown): number {
  const { cause } = error as { readonly cause?: unknown };
  return getHttpStatus(error) ?? getHttpStatus(cause) ?? 0;
}

/**
 * Returns true when the server is unreachable. Any protocol error counts as an answer; a lost connection reports
 * itself.
 */
export function isConnectionFailure(error: unknown): boolean {
  return AppError.is(error) && (error.code === "upstream_failed" || error.code === "unavailable");
}

const SIGN_IN_CAUSE = "mcp-sign-in";

/** Creates the error for a server that needs a person to sign in. */
export function createSignInRequiredError(why: "sign_in_again" | "sign_in_first"): AppError {
  return mcpBridgeTexts.error("permission_denied", why, {}, { cause: new Error(SIGN_IN_CAUSE) });
}

export function isSignInRequired(error: unknown): boolean {
  return AppError.is(error) && error.cause instanceof Error && error.cause.message === SIGN_IN_CAUSE;
}

/** Converts a failure to an error with a code of the contract. */
export function toAppError(error: unknown, reason: Localized): AppError {
  if (AppError.is(error)) {
    const { code, message } = error;
    const detail = (reason.en === message ? error.detail : undefined) ?? toDetail(reason);
    return new AppError(code, reason.en, { cause: error, ...(detail && { detail }) });
  }
  const isLate = isProtocolError(error, REQUEST_TIMEOUT) || (error instanceof Error && error.name === "TimeoutError");
  return isLate
    ? wrapReason("timed_out", "server_late", reason, error)
    : wrapReason("upstream_failed", "server_error", reason, error);
}

/** Returns the localized detail; undefined when both languages are equal. */
export function toDetail({ en, zh }: Localized): LocalizedError["detail"] {
  return en === zh ? undefined : mcpBridgeTexts.message("reason", { reason: { en, zh } }).detail;
}

/** Creates an error that contains a localized reason. */
function wrapReason(
  code: "timed_out" | "upstream_failed",
  key: "server_late" | "server_error",
  { en, zh }: Localized,
  cause: unknown,
): AppError {
  const { message, detail } = mcpBridgeTexts.error(code, key, { reason: en });
  return new AppError(code, message, { cause, ...(detail && { detail: { ...detail, params: { reason: zh } } }) });
}

function isProtocolError(error: unknown, code?: number): boolean {
  if (!(error instanceof Error) || error.name !== "McpError" || !("code" in error)) return false;
  return code === undefined || error.code === code;
}
