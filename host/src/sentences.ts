import {
  AppError,
  type ErrorCode,
  type ItemFailure,
  joinLocalized,
  type Localized,
  localizeMessage,
  type ParamsIn,
  type TextArguments,
  type TextParam,
  toItemFailure,
  toLocalized,
} from "@parley/core";
import type { en } from "./locales/en.ts";
import { hostTexts } from "./texts.ts";

/** Key of `left_table`, to distinguish it from other missing parts of a backup. */
export const UNDECLARED_TABLE = "host.left_table";

/** A localized message with its key; the detail is not enumerable, so answers contain only the two languages. */
export interface Sentence extends Localized {
  readonly detail?: ItemFailure["detail"];
}

/** Returns a text of the host in both languages; parameters may be localized too. */
export function sentence<Key extends keyof typeof en & string>(
  key: Key,
  ...given: TextArguments<ParamsIn<(typeof en)[Key], TextParam>>
): Sentence {
  return toBothLanguages(hostTexts.message(key, ...given));
}

function toBothLanguages({ error, detail }: ItemFailure): Sentence {
  return Object.defineProperty(localizeMessage(error, detail), "detail", { value: detail });
}

/** Returns a text that is the same in both languages, such as a name or a third party's message. */
export function verbatim(text: string): Localized {
  return { en: text, zh: text };
}

/** Joins several messages into one. */
export function joinAll(all: readonly Localized[]): Localized {
  return joinLocalized(all, "sentences");
}

/** Returns the localized message of an error; third-party errors keep their own message. */
export function toSentence(error: unknown): Sentence {
  if (!AppError.is(error)) return verbatim(error instanceof Error ? error.message : String(error));
  if (error.detail === undefined) return verbatim(error.message);
  const failure = toItemFailure(error);
  return failure.detail ? toBothLanguages(failure) : toLocalized(error);
}

/** Creates an error with this message; its key identifies it. */
export function createError(code: ErrorCode, both: Sentence, options: ErrorOptions = {}): AppError {
  return new AppError(code, both.en, { detail: toDetail(both), ...options });
}

/** Returns a message in the form in which answers contain it. */
export function toAnswerMessage(both: Sentence): ItemFailure {
  return { error: both.en, detail: toDetail(both) };
}

/** Returns the detail of a message; for combined or foreign texts it carries only the Chinese text. */
function toDetail(both: Sentence): NonNullable<ItemFailure["detail"]> {
  return both.detail ?? { key: "host.said", params: { said: both.zh }, chinese: "{said}" };
}
