import { type ItemFailure, type MoreOfError, toError, toMessage } from "./error-texts.ts";
import type { AppError, ErrorCode } from "./errors.ts";
import type { Localized } from "./localized.ts";
import { listParams, type ParamsIn, type TextArguments } from "./text-params.ts";
import { fillAll, pickForm, registerLogTexts, registerTexts, type TextParam } from "./text-registry.ts";

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
    ...given: TextArguments<ParamsOf<English[Key]>, [options?: MoreOfError]>
  ): AppError;
  /** Creates a message other than an error: a warning of an answer, a line of a job's log. */
  message<Key extends keyof English & string>(key: Key, ...given: TextArguments<ParamsOf<English[Key]>>): ItemFailure;
  /** Returns all texts in a language with their parameters unfilled, for a page that the plugin renders itself. */
  all(language: string): Readonly<Record<keyof English, string>>;
  /** Returns a text in every language, for places that choose the reader's language later, such as a page or a notification. */
  localized<Key extends keyof English & string>(key: Key, ...given: TextArguments<ParamsOf<English[Key]>>): Localized;
}

export interface Catalogues<English extends Catalogue> {
  readonly en: English;
  readonly zh: Readonly<Record<keyof English, string>>;
  /** Chinese texts of the package's log messages, by the English one, which must be constant: values go into the fields of the line. */
  readonly logs?: Catalogue;
}

/**
 * Declares the texts of a package: `defineTexts("dice", { en, zh })`. Errors and messages carry a key as `dice.<key>`.
 * Throws when Chinese lacks a key, has an additional one, or names a parameter that the English text does not have.
 */
export function defineTexts<const English extends Catalogue>(
  owner: string,
  { en, zh, logs = {} }: Catalogues<English>,
): Texts<English> {
  rejectMismatch(owner, en, zh);
  registerTexts(owner, { en, zh });
  registerLogTexts(logs);
  const find = (key: string) => ({ en: en[key] as string, zh: zh[key] as string });
  const createMessage = (key: string, params: Readonly<Record<string, TextParam>> = {}) =>
    toMessage(`${owner}.${key}`, find(key), params);
  return {
    error: (code, key, ...[params, options]) => toError(code, createMessage(key, params), options),
    message: (key, ...[params]) => createMessage(key, params),
    all(language) {
      const texts = Object.keys(en).map((key) => [key, pickForm(find(key), language)]);
      return Object.fromEntries(texts) as Readonly<Record<keyof English, string>>;
    },
    localized: (key, ...[params = {}]) => fillAll(find(key), params),
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
