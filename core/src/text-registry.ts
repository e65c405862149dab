import type { Localized } from "./localized.ts";
import { fillParams } from "./text-params.ts";

/** A language besides English and Chinese, from a file of the operator: its name, and translations by their English text. */
export interface AddedLanguage {
  /** The language's own name for itself: `Deutsch`. */
  readonly name: string;
  /** Translations by the English text, with the same parameters in braces. */
  readonly texts: ReadonlyMap<string, string>;
}

interface Registry {
  readonly texts: Map<string, Localized>;
  readonly languages: Map<string, AddedLanguage>;
}

// A third-party package may bring its own copy of core, so all copies share one registry.
const KEY = Symbol.for("parley.texts");
const shared = globalThis as { [KEY]?: Registry };
shared[KEY] ??= { texts: new Map(), languages: new Map() };
const { texts, languages } = shared[KEY];

/** Makes the texts of a package known by `<owner>.<key>`; a plugin that is loaded again replaces its own. */
export function registerTexts(owner: string, catalogues: Localizations): void {
  const { en, zh } = catalogues;
  for (const [key, english] of Object.entries(en))
    texts.set(`${owner}.${key}`, { en: english, zh: zh[key] ?? english });
}

const LOG_OWNER = "log";

/** Makes log messages known by their English text. */
export function registerLogTexts(chinese: Readonly<Record<string, string>>): void {
  const english = Object.fromEntries(Object.keys(chinese).map((text) => [text, text]));
  registerTexts(LOG_OWNER, { en: english, zh: chinese });
}

/**
 * Returns what `translateAnswer` needs beside a log message as `message_detail`: its key contains the English text.
 * Undefined for a message without a registered text, such as one of a library.
 */
export function findLogDetail(message: string): LogDetail | undefined {
  const key = `${LOG_OWNER}.${message}`;
  return texts.has(key) ? { key, params: {} } : undefined;
}

interface LogDetail {
  readonly key: string;
  readonly params: Readonly<Record<string, never>>;
}

/** Returns the English log messages whose text in a language contains the words. */
export function searchLogTexts(words: string, language: string): readonly string[] {
  const logs = texts.entries().filter(([key]) => key.startsWith(`${LOG_OWNER}.`));
  return logs
    .filter(([, text]) => pickForm(text, language).includes(words))
    .map(([, { en }]) => en)
    .toArray();
}

interface Localizations {
  readonly en: Readonly<Record<string, string>>;
  readonly zh: Readonly<Record<string, string>>;
}

/** Returns the text of a key with its parameters unfilled; a key without an owner is core's. Undefined for an unknown key. */
export function findText(key: string): Localized | undefined {
  return texts.get(key) ?? texts.get(`core.${key}`);
}

/** Returns true for a key of core that many errors share: `not_found`, `string.max`. */
export function isSharedKey(key: string): boolean {
  return !texts.has(key) && texts.has(`core.${key}`);
}

/** Returns every registered English text, such as for writing a file of another language. */
export function listEnglishTexts(): readonly string[] {
  return [...new Set(texts.values().map(({ en }) => en))];
}

/** Sets the languages besides English and Chinese, by their code (`de`). */
export function setAddedLanguages(added: ReadonlyMap<string, AddedLanguage>): void {
  languages.clear();
  for (const [code, language] of added) languages.set(code, language);
}

/** Returns the codes of all languages, English first. */
export function listLanguages(): readonly string[] {
  return ["en", "zh", ...languages.keys()];
}

/** Returns the languages besides English and Chinese, by their code. */
export function listAddedLanguages(): ReadonlyMap<string, AddedLanguage> {
  return languages;
}

/** Returns the form of a text in one language, with its parameters unfilled; English where the language lacks it. */
export function pickForm(text: Localized, language: string): string {
  if (language === "en" || language === "zh") return text[language];
  return (
    (text as Localized & { readonly [code: string]: string })[language] ??
    languages.get(language)?.texts.get(text.en) ??
    text.en
  );
}

/** A parameter of a text: a name, a number, or a text of its own. */
export type TextParam = string | number | boolean | Localized;

/** Fills a text in one language, with its parameters in that language. */
export function fillText(text: Localized, params: Readonly<Record<string, TextParam>>, language: string): string {
  const values = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "object" ? pickForm(value, language) : value,
  ]);
  return fillParams(pickForm(text, language), Object.fromEntries(values), language);
}

/** Returns a text filled in every language. */
export function fillAll(text: Localized, params: Readonly<Record<string, TextParam>>): Localized {
  return Object.fromEntries(
    listLanguages().map((code) => [code, fillText(text, params, code)]),
  ) as unknown as Localized;
}

const SEPARATORS = {
  lines: { en: "\n", zh: "\n" },
  sentences: { en: "; ", zh: "；" },
  words: { en: ", ", zh: "、" },
  alternatives: { en: " or ", zh: " 或 " },
} as const satisfies Readonly<Record<string, Localized>>;

/** Joins texts in every language, as lines, sentences, words or alternatives of one text. */
export function joinLocalized(parts: readonly (Localized | string)[], separator: keyof typeof SEPARATORS): Localized {
  const joinIn = (code: string) =>
    parts
      .map((part) => (typeof part === "string" ? part : pickForm(part, code)))
      .join(pickForm(SEPARATORS[separator], code));
  return Object.fromEntries(listLanguages().map((code) => [code, joinIn(code)])) as unknown as Localized;
}
