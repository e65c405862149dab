import { AppError, toSharedError } from "@parley/core";
import { postgresTexts } from "../texts.ts";

/** SQLSTATE class of violated constraints: unique, foreign key, not null, check. */
const CONSTRAINT = /^23/;
/** SQL states of a failing server or connection, not of a wrong statement: out of resources, shutdown, deadlock. */
const SERVER_STATES = /^(08|28|3D|40|53|55P03|57|58|25006|25P03)/;
const DAMAGED = /^XX00[12]$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Returns the server's code of a failed statement; undefined for all other errors, such as a failed connection. */
export function getSqlState(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && SQLSTATE.test(code) && !/^E[A-Z]{4}$/.test(code) ? code : undefined;
}

const NOT_SUPPORTED = "0A000";

/** True for a prepared statement whose table another node has changed; when it is run again, it has a new plan. */
export function isStalePlan(error: unknown): boolean {
  return getSqlState(error) === NOT_SUPPORTED && /cached plan/.test((error as Error).message);
}

/** True when the server cannot store or read now. An error without a code of the server counts as a failed connection, whatever it is. */
export function isServerFailure(error: unknown): boolean {
  if (AppError.is(error)) return error.code === "unavailable";
  if (isStalePlan(error)) return true;
  const state = getSqlState(error);
  return state === undefined || SERVER_STATES.test(state);
}

/** Converts the failure of a statement to ours; the server's own message is the cause. */
export function toAppError(error: unknown): AppError {
  if (AppError.is(error)) return error;
  const options = { cause: error };
  const state = getSqlState(error) ?? "";
  if (CONSTRAINT.test(state)) return postgresTexts.error("conflict", "exists", {}, options);
  if (DAMAGED.test(state)) return postgresTexts.error("unavailable", "damaged", {}, options);
  if (isServerFailure(error)) return createUnavailableError(error);
  return postgresTexts.error("internal", "statement", {}, options);
}

export function createUnavailableError(cause: unknown): AppError {
  return toSharedError("unavailable", "storage_busy", {}, { cause, retryAfterS: 1 });
}

/** Returns the short reason of a failed connection; of several addresses that of the last one. */
export function toReason(error: unknown): string {
  if (error instanceof AggregateError) return toReason(error.errors.at(-1));
  return error instanceof Error ? error.message : String(error);
}
