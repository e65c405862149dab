import {
  explainedAs,
  type ItemFailure,
  inBothLanguages,
  type MoreOfError,
  sentenceOf,
  type TextParam,
} from "./error-texts.ts";
import type { AppError, ErrorCode } from "./errors.ts";
import { type Given, listParams, type ParamsIn } from "./filled-in.ts";
import type { Localized } from "./localized.ts";

/**
 * A package's texts in one language, by key. `{name}` stands for a parameter; `{count, plural, one {# item} other
 * {# items}}` for a number in the plural form of the language (the categories of `Intl.PluralRules`).
 */
export type Catalogue = Readonly<Record<string, string>>;

type ParamsOf<Text extends string> = ParamsIn<Text, TextParam>;

/** The texts of one package. Their keys and parameters are typed. */
export interface Texts<English extends Catalogue> {
  /** Creates an error whose message people read in their language: on a channel, in the console, in a command's answer. */
  error<Key extends keyof English & string>(
    code: ErrorCode,
    key: Key,
    ...given: Given<ParamsOf<English[Key]>, [options?: MoreOfError]>
  ): AppError;
  /** Creates a message other than an error: a warning of an answer, a line of a job's log. */
  message<Key extends keyof English & string>(key: Key, ...given: Given<ParamsOf<English[Key]>>): ItemFailure;
  /** Returns a text in both languages, to select the reader's from: of a page, of a notification. */
  localized<Key extends keyof English & string>(key: Key, ...given: Given<ParamsOf<English[Key]>>): Localized;
}

/**
 * Declares the texts of a package: `defineTexts("dice", { en, zh })`. Errors and messages carry a key as `dice.<key>`.
 * Throws when Chinese lacks a key, has an additional one, or names a parameter that the English text does not have.
 */
export function defineTexts<const English extends Catalogue>(
  owner: string,
  { en, zh }: { readonly en: English; readonly zh: Readonly<Record<keyof English, string>> },
): Texts<English> {
  rejectMismatch(owner, en, zh);
  const find = (key: string) => ({ en: en[key] as string, zh: zh[key] as string });
  const createMessage = (key: string, params: Readonly<Record<string, TextParam>> = {}) =>
    sentenceOf(`${owner}.${key}`, find(key), params);
  return {
    error: (code, key, ...[params, options]) =>
      explainedAs(code, `${owner}.${key}`, find(key), { ...options, ...(params && { params }) }),
    message: (key, ...[params]) => createMessage(key, params),
    localized(key, ...[params]) {
      const { error, detail } = createMessage(key, params);
      return inBothLanguages(error, detail);
    },
  };
}

function rejectMismatch(owner: string, en: Catalogue, zh: Catalogue): void {
  const wrong = [...new Set([...Object.keys(en), ...Object.keys(zh)])].flatMap((key) =>
    findMismatch(key, en[key], zh[key]),
  );
  if (wrong.length > 0)
    throw new Error(`the Chinese texts of '${owner}' do not fit the English ones: ${wrong.join(", ")}`);
}

function findMismatch(key: string, english: string | undefined, chinese: string | undefined): readonly string[] {
  if (chinese === undefined) return [`'${key}' is missing`];
  if (english === undefined) return [`'${key}' is unknown`];
  const names = new Set(listParams(english));
  return listParams(chinese)
    .filter((name) => !names.has(name))
    .map((name) => `'${key}' has no parameter '${name}'`);
}
