import {
  AppError,
  type ErrorCode,
  type ErrorDetail,
  inBothLanguages,
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

/** Converts a failure to its stored form, with at most `most` characters of its sentence. */
export function toStoredFailure(failure: LocalizedError | null, most = Number.POSITIVE_INFINITY): StoredFailure {
  if (!failure) return { error: null, told: null };
  const error = failure.error.slice(0, most);
  const serialized = JSON.stringify({ ...failure, error });
  const { code } = failure;
  return { error, told: serialized.length > MAX_SERIALIZED_CHARS ? JSON.stringify({ code, error }) : serialized };
}

/**
 * Returns the localized error stored in a row; undefined when it belongs to another error, because an earlier version
 * has overwritten the sentence.
 */
export function readStoredFailure({ error, told }: StoredFailure): LocalizedError | undefined {
  const failure = JSON.parse(told ?? "null") as LocalizedError | null;
  return error !== null && failure?.error === error ? failure : undefined;
}

/** Returns the failure with code `interrupted`. */
export function toInterrupted(failure: LocalizedError): LocalizedError {
  return { ...failure, code: "interrupted" };
}

/** Recreates a stored failure as an error for callers that waited for it. */
export function recreateError(code: ErrorCode, { error, detail }: Pick<LocalizedError, "error" | "detail">): AppError {
  return new AppError(code, error, detail ? { detail } : {});
}

/** Moves an error to another field: `config.cron`. */
export function toFieldError(field: string, sentence: string, detail: ErrorDetail | undefined): AppError {
  return new AppError("bad_request", `${field}: ${sentence}`, detail ? { detail: { ...detail, field } } : {});
}

/** Returns the error of a step with an unknown outcome. */
export function toUnknownOutcome(error: AppError): AppError {
  return automationTexts.error(error.code, "in_doubt", { reason: toLocalized(error) });
}

/** Returns the error of a run that failed at a step. */
export function toStepError(step: string, error: AppError): AppError {
  return automationTexts.error(error.code, "of_step", { step, reason: toLocalized(error) });
}

/** A target a message was not sent to, with the reason. */
export interface Unsent {
  readonly target: string;
  readonly why: AppError;
}

export function toUnsentError(unsent: readonly Unsent[], of: number): AppError {
  const list = (language: keyof Localized, colon: string, separator: string) =>
    unsent.map(({ target, why }) => `${target}${colon}${toLocalized(why)[language]}`).join(separator);
  const reason = { en: list("en", ": ", "; "), zh: list("zh", "：", "；") };
  return automationTexts.error("upstream_failed", "not_sent", { count: unsent.length, of, reason });
}

/** A failure of the program is in the log alone. */
export function toVisibleError(error: unknown): AppError {
  return AppError.is(error) ? error : automationTexts.error("internal", "step_failed");
}

/** Returns the localized failure of a run for its trace. */
export function toTraceReason({ error, detail }: LocalizedError): ReturnType<typeof inBothLanguages> {
  return inBothLanguages(error, detail);
}
