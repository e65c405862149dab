import { AppError, type Localized, type LocalizedError, toLocalized, toLocalizedError } from "@parley/core";
import { ServerConnectionError } from "../../server-connection-error.ts";
import { sanitizeText } from "../tools/sanitize-text.ts";
import { getHttpStatus, toDetail } from "./errors.ts";

const MAX_REASON = 2_500;

/** Stored reason that a server is unavailable: English sentence and localized detail. */
export interface StoredReason {
  readonly error: string;
  readonly detail: NonNullable<LocalizedError["detail"]> | null;
}

export interface ReasonOptions {
  readonly error: unknown;
  /** Further facts about the end of the connection. */
  readonly cause?: Localized | undefined;
  /** Masks secrets. */
  readonly mask: (text: string) => string;
}

/** Returns the localized reason of a failure, without secrets; the server's own text is not translated. */
export function toReason({ error, cause, mask }: ReasonOptions): Localized {
  const status = getHttpStatus(error);
  const message = describeError(error);
  const joined = (language: keyof Localized, by: string) =>
    sanitizeText(
      mask([status && `HTTP ${status}`, message[language], cause?.[language]].filter(Boolean).join(by)),
      MAX_REASON,
    );
  return { en: joined("en", "; "), zh: joined("zh", "；") };
}

export function toStoredReason(options: ReasonOptions): StoredReason {
  const reason = toReason(options);
  const own =
    AppError.is(options.error) && options.error.message === reason.en
      ? toLocalizedError(options.error).detail
      : undefined;
  return { error: reason.en, detail: own ?? toDetail(reason) ?? null };
}

function describeError(error: unknown): Localized {
  if (error instanceof ServerConnectionError) return error.localized;
  if (AppError.is(error)) return toLocalized(error);
  const message = error instanceof Error ? error.message : String(error);
  return { en: message, zh: message };
}
