import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "@parley/core";
import { statusOf } from "./dial.ts";

/** The HTTP status behind a failure; 0 for another kind. */
export function refusalOf(error: unknown): number {
  const { cause } = error as { readonly cause?: unknown };
  return statusOf(error) ?? statusOf(cause) ?? 0;
}

/** Where the other side cannot be reached, and not merely refuses. */
export function isConnectionFailure(error: unknown): boolean {
  if (AppError.is(error)) return error.code === "upstream_failed" || error.code === "unavailable";
  return error instanceof McpError && error.code === ErrorCode.ConnectionClosed;
}

/** The failure by the contract's codes. */
export function failureOf(error: unknown, reason: string): AppError {
  if (AppError.is(error)) return new AppError(error.code, reason, { cause: error });
  const isLate =
    (error instanceof McpError && error.code === ErrorCode.RequestTimeout) ||
    (error instanceof Error && error.name === "TimeoutError");
  if (isLate) return new AppError("timed_out", `the server did not answer in time: ${reason}`, { cause: error });
  return new AppError("upstream_failed", `the server answered with an error: ${reason}`, { cause: error });
}
