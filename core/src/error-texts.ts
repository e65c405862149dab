import { AppError, type AppErrorOptions, type ErrorCode, type ErrorDetail, type LocalizedError } from "./errors.ts";
import { ERROR_TEXTS } from "./locales/en.ts";
import type { Localized } from "./localized.ts";
import { fillParams, type ParamsIn } from "./text-params.ts";
import { fillText, findText, isSharedKey, listLanguages, type TextParam } from "./text-registry.ts";

/** Key of an error text that any plugin may use. */
export type ErrorText = keyof typeof ERROR_TEXTS;

type ParamsOf<Key extends ErrorText> = ParamsIn<(typeof ERROR_TEXTS)[Key], string | number>;

/** Creates an error from a text that core shares with all plugins (`ERROR_TEXTS`): its message in English, with key and parameters for the reader's language. */
export function toSharedError<Key extends ErrorText>(
  code: ErrorCode,
  key: Key,
  params: ParamsOf<Key>,
  options: Omit<AppErrorOptions, "detail"> = {},
): AppError {
  const { error, detail } = toSharedProblem(key, params);
  return new AppError(code, error, { ...options, detail });
}

/** Returns a shared error text as a value instead of a request error, such as the reason a channel does not work. */
export function toSharedProblem<Key extends ErrorText>(
  key: Key,
  params: ParamsOf<Key>,
): { readonly error: string; readonly detail: ErrorDetail } {
  const values: Readonly<Record<string, string | number>> = params;
  return { error: fillParams(ERROR_TEXTS[key], values), detail: { key, params: values } };
}

type Params = Readonly<Record<string, TextParam>>;

/**
 * Creates a plugin's error from a message given in place, where no catalogue has it; `defineTexts` creates those with a key.
 * `{name}` stands for a parameter.
 */
export function createErrorFromText(
  code: ErrorCode,
  key: string,
  message: Localized,
  { params = {}, ...options }: OwnFailure = {},
): AppError {
  return toError(code, toMessageWithChinese(key, message, params), options);
}

/** Creates an error from a message; a given field name is put before the sentence. */
export function toError(code: ErrorCode, message: ItemFailure, { field, ...options }: MoreOfError = {}): AppError {
  const { error, detail } = message;
  const named = detail && { ...detail, ...(field !== undefined && { field }) };
  return new AppError(code, field === undefined ? error : `${field}: ${error}`, {
    ...options,
    ...(named && { detail: named }),
  });
}

/** Returns a message whose detail carries the Chinese text, for a key that no catalogue has. */
export function toMessageWithChinese(key: string, message: Localized, params: Params): ItemFailure {
  const { error, detail } = toMessage(key, message, params);
  return { error, detail: { ...detail, chinese: message.zh } };
}

/** Returns the message of a key in English, with the detail from which it is made in each language. */
export function toMessage(key: string, message: Localized, params: Params) {
  const texts = Object.entries(params).filter((entry): entry is [string, Localized] => typeof entry[1] === "object");
  const plain = Object.entries(params).map(([name, value]) => [name, typeof value === "object" ? value.en : value]);
  const detail: ErrorDetail = {
    key,
    params: Object.fromEntries(plain),
    ...(texts.length > 0 && { texts: Object.fromEntries(texts) }),
  };
  return { error: fillText(message, params, "en"), detail };
}

/** Options of an error besides its code, key and parameters. */
export type MoreOfError = Omit<OwnFailure, "params">;
type OwnFailure = Omit<AppErrorOptions, "detail"> & Pick<ErrorDetail, "field"> & { readonly params?: Params };

/** Returns warnings as answers list them: English sentences and, in the same order, their localized details. */
export function formatWarnings(given: readonly ItemFailure[]): ListedWarnings {
  return { warnings: given.map(({ error }) => error), warning_details: given.map(({ detail }) => detail ?? null) };
}

/** Warnings of an answer. A detail is null when the sentence exists in English only. */
export interface ListedWarnings {
  readonly warnings: readonly string[];
  readonly warning_details: readonly (NonNullable<ItemFailure["detail"]> | null)[];
}

/** A failure with the facts from which its sentence is made in each language. */
interface Failure {
  /** The English sentence. */
  readonly error: string;
  /** Code whose meaning is put before a sentence that exists in English only. */
  readonly code?: string | undefined;
  readonly detail?: Partial<ErrorDetail> | null | undefined;
}

/** Returns the sentence of a failure in a language; English where no other text is known, after the meaning of its code. */
export function formatFailure({ error, code, detail }: Failure, language: string): string {
  if (language === "en") return error;
  const colon = language === "zh" ? "：" : ": ";
  const sentence = detail && fillDetail(detail, language);
  if (sentence) return namesField(error, detail) ? `${detail.field}${colon}${sentence}` : sentence;
  const meaning = code === undefined ? undefined : findText(`code.${code}`);
  return meaning === undefined ? error : `${fillText(meaning, {}, language)}${colon}${error}`;
}

// A text shared by many fields does not name its field; English texts of joi already contain the field's label.
const namesField = (error: string, { field, key = "" }: Partial<ErrorDetail>): boolean =>
  field !== undefined && (error.startsWith(`${field}: `) || isSharedKey(key));

/** Returns the text of a detail in a language, without its field; undefined for an unknown key. */
export function fillDetail(detail: Partial<ErrorDetail>, language: string): string | undefined {
  const { key = "", chinese } = detail;
  const params = { ...detail.params, ...detail.texts };
  const known = findText(key);
  if (chinese === undefined || (language !== "zh" && known !== undefined))
    return known && fillText(known, params, language);
  return language === "zh" ? fillText({ en: chinese, zh: chinese }, params, language) : undefined;
}

/** Returns a message in every language; the English text where no other is known. */
export function localizeMessage(error: string, detail?: Partial<ErrorDetail> | null): Localized {
  return inAllLanguages({ error, detail });
}

/** Returns an error as a localized message. Without a known text, the meaning of its code precedes the English sentence. */
export function toLocalized({ code, message, detail }: AppError): Localized {
  return inAllLanguages({ error: message, code, detail });
}

function inAllLanguages(failure: Failure): Localized {
  const forms = listLanguages().map((language) => [language, formatFailure(failure, language)]);
  return Object.fromEntries(forms) as unknown as Localized;
}

/** Returns an error as stored and sent: code, English message and the detail to localize it later. */
export function toLocalizedError(error: Pick<AppError, "code" | "message" | "detail">): LocalizedError {
  const { code, message, detail } = error;
  return { code, error: message, ...(detail && { detail: toPlainDetail(detail) }) };
}

// Further problems belong to the request and are not stored with the error.
function toPlainDetail({ others: _, ...detail }: ErrorDetail): NonNullable<LocalizedError["detail"]> {
  return detail;
}

/** A problem or note about one of several items, such as in an imported file or a list. */
export type ItemFailure = Pick<LocalizedError, "error" | "detail">;

/** Returns the error of one of several items as answers show it. */
export function toItemFailure({ message: error, detail }: Pick<AppError, "message" | "detail">): ItemFailure {
  return { error, ...(detail && { detail: toPlainDetail(detail) }) };
}

/** Returns a message as an entry of a trace or of the gateway's log has it: the English sentence and its detail. */
export function toTraceMessage({ error: message, detail }: ItemFailure): TraceMessage {
  return { message, ...(detail && { detail }) };
}

/** The message of an entry of a trace or of the gateway's log; `toTraceMessage` makes it from one of a catalogue. */
export interface TraceMessage {
  /** The sentence in English. */
  readonly message: string;
  /** Key and parameters from which each reader gets the sentence in their language. Absent: it is shown in English. */
  readonly detail?: ItemFailure["detail"];
}

/** Creates the error of a missing id: `<kind> '<id>' does not exist`. */
export function notFound(kind: string, id: string): AppError {
  return toSharedError("not_found", "not_found", { kind, id });
}
