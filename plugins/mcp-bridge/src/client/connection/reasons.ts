import { AppError, type Localized, saidOf, type ToldFailure, toldFailure } from "@parley/core";
import { ServerConnectionError } from "../../server-connection-error.ts";
import { sanitizeText } from "../tools/sanitize-text.ts";
import { detailOf, getHttpStatus } from "./errors.ts";

const MAX_REASON = 2_500;

/** Why a server is not there, as it is kept: its sentence, and what it takes to say it in another language. */
export interface StoredReason {
  readonly error: string;
  readonly detail: NonNullable<ToldFailure["detail"]> | null;
}

export interface ReasonOptions {
  readonly error: unknown;
  /** What is known of the end of the line besides. */
  readonly cause?: Localized | undefined;
  /** Takes out what is secret. */
  readonly mask: (text: string) => string;
}

/** What is known of a failure, in both languages and without secrets; what is the server's own stays as it was said. */
export function toReason({ error, cause, mask }: ReasonOptions): Localized {
  const status = getHttpStatus(error);
  const said = describeError(error);
  const joined = (language: keyof Localized, by: string) =>
    sanitizeText(
      mask([status && `HTTP ${status}`, said[language], cause?.[language]].filter(Boolean).join(by)),
      MAX_REASON,
    );
  return { en: joined("en", "; "), zh: joined("zh", "；") };
}

export function toStoredReason(options: ReasonOptions): StoredReason {
  const reason = toReason(options);
  const own =
    AppError.is(options.error) && options.error.message === reason.en ? toldFailure(options.error).detail : undefined;
  return { error: reason.en, detail: own ?? detailOf(reason) ?? null };
}

function describeError(error: unknown): Localized {
  if (error instanceof ServerConnectionError) return error.said;
  if (AppError.is(error)) return saidOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return { en: message, zh: message };
}
