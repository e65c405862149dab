import {
  AppError,
  type ErrorCode,
  type ErrorDetail,
  type Localized,
  type LocalizedError,
  toLocalized,
} from "@parley/core";
import { automationTexts } from "./texts.ts";

const MAX_SERIALIZED_CHARS = 8_000;

/** A failure as stored in a row: the English sentence, and the localized error as JSON. */
export interface StoredFailure {
  readonly error: string | null;
  readonly told: string | null;
}

/** Converts a failure to its stored form; its sentence has at most `most` characters. */
export function toStoredFailure(failure: LocalizedError | null, most = Number.POSITIVE_INFINITY): StoredFailure {
  if (!failure) return { error: null, told: null };
  const error = failure.error.slice(0, most);
  const serialized = JSON.stringify({ ...failure, error });
  const { code } = failure;
  return { error, told: serialized.length > MAX_SERIALIZED_CHARS ? JSON.stringify({ code, error }) : serialized };
}

/** Returns the localized error of a row; undefined when an earlier version has replaced the sentence since. */
export function readStoredFailure({ error, told }: StoredFailure): LocalizedError | undefined {
  const failure = JSON.parse(told ?? "null") as LocalizedError | null;
  return error !== null && failure?.error === error ? failure : undefined;
}

/** Returns the failure with the code `interrupted`. */
export function toInterrupted(failure: LocalizedError): LocalizedError {
  return { ...failure, code: "interrupted" };
}

/** Creates an error again from a stored failure, for callers that wait for it. */
export function recreateError(code: ErrorCode, { error, detail }: Pick<LocalizedError, "error" | "detail">): AppError {
  return new AppError(code, error, detail ? { detail } : {});
}

/** Returns the error for another field, such as `config.cron`. */
export function toFieldError(field: string, sentence: string, detail: ErrorDetail | undefined): AppError {
  return new AppError("bad_request", `${field}: ${sentence}`, detail ? { detail: { ...detail, field } } : {});
}

/** Returns the error of a step whose outcome is unknown. */
export function toUnknownOutcome(error: AppError): AppError {
  return automationTexts.error(error.code, "in_doubt", { reason: toLocalized(error) });
}

/** Returns the error of a run that failed at a step. */
export function toStepError(step: string, error: AppError): AppError {
  return automationTexts.error(error.code, "of_step", { step, reason: toLocalized(error) });
}

/** A target to which a message was not sent, and the reason. */
export interface Unsent {
  readonly target: string;
  readonly why: AppError;
}

export function toUnsentError(unsent: readonly Unsent[], total: number): AppError {
  const list = (language: keyof Localized, colon: string, separator: string) =>
    unsent.map(({ target, why }) => `${target}${colon}${toLocalized(why)[language]}`).join(separator);
  const reason = { en: list("en", ": ", "; "), zh: list("zh", "：", "；") };
  return automationTexts.error("upstream_failed", "not_sent", { count: unsent.length, of: total, reason });
}

/** Returns the error as people see it; internal errors are described only in the log. */
export function toVisibleError(error: unknown): AppError {
  return AppError.is(error) ? error : automationTexts.error("internal", "step_failed");
}
