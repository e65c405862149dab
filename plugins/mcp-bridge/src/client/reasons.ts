import { AppError, type Localized, saidOf, type ToldFailure, toldFailure } from "@parley/core";
import { ServerFault } from "../server-fault.ts";
import { cleanText } from "./clean-text.ts";
import { detailOf, statusOf } from "./failures.ts";

const MAX_REASON = 2_500;

/** Why a server is not there, as it is kept: its sentence, and what it takes to say it in another language. */
export interface KeptReason {
  readonly error: string;
  readonly detail: NonNullable<ToldFailure["detail"]> | null;
}

export interface ReasonParts {
  readonly error: unknown;
  /** What is known of the end of the line besides. */
  readonly cause?: Localized | undefined;
  /** Takes out what is secret. */
  readonly mask: (text: string) => string;
}

/** What is known of a failure, in both languages and without secrets; what is the server's own stays as it was said. */
export function reasonOf({ error, cause, mask }: ReasonParts): Localized {
  const status = statusOf(error);
  const said = saidBy(error);
  const joined = (language: keyof Localized, by: string) =>
    cleanText(
      mask([status && `HTTP ${status}`, said[language], cause?.[language]].filter(Boolean).join(by)),
      MAX_REASON,
    );
  return { en: joined("en", "; "), zh: joined("zh", "；") };
}

export function keptReason(parts: ReasonParts): KeptReason {
  const reason = reasonOf(parts);
  const own =
    AppError.is(parts.error) && parts.error.message === reason.en ? toldFailure(parts.error).detail : undefined;
  return { error: reason.en, detail: own ?? detailOf(reason) ?? null };
}

function saidBy(error: unknown): Localized {
  if (error instanceof ServerFault) return error.said;
  if (AppError.is(error)) return saidOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return { en: message, zh: message };
}
