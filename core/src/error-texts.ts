import { chineseByCode, chineseOf, chineseOfKey } from "./chinese.ts";
import { ERROR_TEXTS, type ErrorText } from "./english.ts";
import { AppError, type AppErrorOptions, type ErrorCode, type ErrorDetail, type LocalizedError } from "./errors.ts";
import { filledIn, type Given, type ParamsIn } from "./filled-in.ts";
import type { Localized } from "./localized.ts";

type ParamsOf<Key extends ErrorText> = ParamsIn<(typeof ERROR_TEXTS)[Key], string | number>;

/** Creates an error of `ERROR_TEXTS`: its message filled in, with key and parameters for translation. */
export function explained<Key extends ErrorText>(
  code: ErrorCode,
  key: Key,
  params: ParamsOf<Key>,
  options: Omit<AppErrorOptions, "detail"> = {},
): AppError {
  const { error, detail } = problemOf(key, params);
  return new AppError(code, error, { ...options, detail });
}

/** Returns a shared error text as a value instead of a request error, such as the reason a channel does not work. */
export function problemOf<Key extends ErrorText>(
  key: Key,
  params: ParamsOf<Key>,
): { readonly error: string; readonly detail: ErrorDetail } {
  const values: Readonly<Record<string, string | number>> = params;
  return { error: filledIn(ERROR_TEXTS[key], values), detail: { key, params: values } };
}

/** A parameter of a sentence: a name, a number, or a nested sentence in both languages. */
type Param = Params[string] | Localized;
/** A parameter of a package's text. */
export type TextParam = string | number | Localized;
type Params = NonNullable<ErrorDetail["params"]>;

/**
 * Creates a plugin's error with its message in both languages, readable on a channel, in the console and in a
 * command's answer. `key` is the plugin's own, such as `dice.too_many`; `{name}` stands for a parameter.
 */
export function explainedAs(
  code: ErrorCode,
  key: string,
  message: Localized,
  { params = {}, field, ...options }: OwnFailure = {},
): AppError {
  const { error: sentence, detail: plain } = sentenceOf(key, message, params);
  const detail = { ...plain, ...(field !== undefined && { field }) };
  return new AppError(code, field === undefined ? sentence : `${field}: ${sentence}`, { ...options, detail });
}

/** Returns a message in English together with its Chinese detail. */
export function sentenceOf(key: string, { en, zh }: Localized, params: Readonly<Record<string, Param>>) {
  const inLanguage = (language: keyof Localized): Params =>
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === "object" ? value[language] : value]),
    );
  return { error: filledIn(en, inLanguage("en")), detail: { key, params: inLanguage("zh"), chinese: zh } };
}

/** Creates a plugin's errors by key, as `explainedAs` does: `failuresOf("dice", { too_many: { en, zh } })`. Parameters in braces are required. */
export function failuresOf<const Texts extends Readonly<Record<string, Localized>>>(
  plugin: string,
  texts: Texts,
): Failures<Texts> {
  return (code, key, ...[params, options]) =>
    explainedAs(code, `${plugin}.${key}`, texts[key] as Localized, { ...options, ...(params && { params }) });
}

/** Creates an error from a code, a key, the parameters of its text, and options. */
export type Failures<Texts extends Readonly<Record<string, Localized>>> = <Key extends keyof Texts & string>(
  code: ErrorCode,
  key: Key,
  ...given: Given<ParamsIn<Texts[Key][keyof Localized], TextParam>, [options?: MoreOfError]>
) => AppError;

/** Options of an error besides its code, key and parameters. */
export type MoreOfError = Omit<OwnFailure, "params">;
type OwnFailure = Omit<AppErrorOptions, "detail"> &
  Pick<ErrorDetail, "field"> & { readonly params?: Readonly<Record<string, Param>> };

/**
 * Creates a plugin's localized messages other than errors by key, in both languages, like `failuresOf`: warnings of
 * an answer, lines of a job's log.
 */
export function sentencesOf<const Texts extends Readonly<Record<string, Localized>>>(
  plugin: string,
  texts: Texts,
): Sentences<Texts> {
  return (key, ...[params]) => sentenceOf(`${plugin}.${key}`, texts[key] as Localized, params ?? {});
}

/** Creates a message from a key and the parameters of its text. */
export type Sentences<Texts extends Readonly<Record<string, Localized>>> = <Key extends keyof Texts & string>(
  key: Key,
  ...given: Given<ParamsIn<Texts[Key][keyof Localized], TextParam>, []>
) => ItemFailure;

/** Returns warnings as answers list them: English sentences and, in the same order, their localized details. */
export function listedWarnings(given: readonly ItemFailure[]): ListedWarnings {
  return { warnings: given.map(({ error }) => error), warning_details: given.map(({ detail }) => detail ?? null) };
}

/** Warnings of an answer. A detail is null when the sentence exists in English only. */
export interface ListedWarnings {
  readonly warnings: readonly string[];
  readonly warning_details: readonly (NonNullable<ItemFailure["detail"]> | null)[];
}

/** Returns an error's sentence in both languages; the English one twice when no Chinese text is known. */
export function inBothLanguages(error: string, detail?: Partial<ErrorDetail> | null): Localized {
  return { en: error, zh: chineseOf(detail ?? {}) ?? error };
}

/** Returns an error as a localized message. Without a known Chinese text, the meaning of its code precedes the English sentence. */
export function toLocalized({ code, message, detail }: AppError): Localized {
  const chinese = chineseOf(detail ?? {});
  if (detail === undefined || chinese === undefined) return { en: message, zh: chineseByCode(code, message) };
  return { en: message, zh: isOfAnyField(detail) ? `${detail.field}：${chinese}` : chinese };
}

// A sentence that many fields share does not say which.
const isOfAnyField = ({ field, key, chinese }: ErrorDetail): boolean =>
  field !== undefined && (chinese === undefined || chineseOfKey(key) !== undefined);

/** Returns an error as stored and sent: code, English message and the detail to localize it later. */
export function toLocalizedError(error: Pick<AppError, "code" | "message" | "detail">): LocalizedError {
  const { code, message, detail } = error;
  if (detail === undefined || isOfAnyField(detail)) return { code, error: message };
  const { key, params, chinese } = detail;
  return {
    code,
    error: message,
    detail: { key, ...(params && { params }), ...(chinese !== undefined && { chinese }) },
  };
}

/** A problem or note about one of several items, such as in an imported file or a list. */
export type ItemFailure = Pick<LocalizedError, "error" | "detail">;

/** Returns the error of one of several items as answers show it; its field is part of the sentence in both languages. */
export function itemFailure({ message: error, detail }: Pick<AppError, "message" | "detail">): ItemFailure {
  if (detail?.field === undefined) {
    const { detail: plain } = toLocalizedError({ code: "bad_request", message: error, detail });
    return { error, ...(plain && { detail: plain }) };
  }
  const { key, field, params, chinese = chineseOfKey(key) } = detail;
  if (chinese === undefined) return { error };
  return { error, detail: { key, params: { ...params, field }, chinese: `{field}：${chinese}` } };
}

/** Creates the error of a missing id: `<kind> '<id>' does not exist`. */
export function notFound(kind: string, id: string): AppError {
  return explained("not_found", "not_found", { kind, id });
}
