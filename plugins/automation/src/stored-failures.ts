import {
  AppError,
  type ErrorCode,
  type ErrorDetail,
  inBothLanguages,
  type LocalizedError,
  toLocalized,
} from "@parley/core";
import { automationFailure } from "./said-failures.ts";

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
  const message = `${error.message}; whether it happened is not known`;
  return wrapError(error.code, message, "in_doubt", "{reason}；无法确定是否已完成", {
    reason: toLocalized(error).zh,
  });
}

/** Returns the error of a run that failed at a step. */
export function toStepError(step: string, error: AppError): AppError {
  const message = `step '${step}': ${error.message}`;
  return wrapError(error.code, message, "of_step", "步骤“{step}”：{reason}", {
    step,
    reason: toLocalized(error).zh,
  });
}

/** A target a message was not sent to, with the reason. */
export interface Unsent {
  readonly target: string;
  readonly why: AppError;
}

export function toUnsentError(unsent: readonly Unsent[], of: number): AppError {
  const listed = (toText: (why: AppError) => string, by: string) =>
    unsent.map(({ target, why }) => `${target}${by}${toText(why)}`);
  const english = listed(({ message }) => message, ": ").join("; ");
  const reason = listed((why) => toLocalized(why).zh, "：").join("；");
  const message = `not sent to ${unsent.length} of ${of}: ${english}`;
  const params = { count: unsent.length, of, reason };
  return wrapError("upstream_failed", message, "not_sent", "{of} 个目标中有 {count} 个未送达：{reason}", params);
}

/** A failure of the program is in the log alone. */
export function toVisibleError(error: unknown): AppError {
  return AppError.is(error) ? error : automationFailure("internal", "step_failed");
}

/** Returns the localized failure of a run for its trace. */
export function toTraceReason({ error, detail }: LocalizedError): ReturnType<typeof inBothLanguages> {
  return inBothLanguages(error, detail);
}

/** Wraps another failure: its Chinese text fills the parameters, its English one is in the message already. */
function wrapError(
  code: ErrorCode,
  message: string,
  key: string,
  chinese: string,
  params: NonNullable<ErrorDetail["params"]>,
): AppError {
  return new AppError(code, message, { detail: { key: `automation.${key}`, params, chinese } });
}
