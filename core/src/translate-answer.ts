import { formatFailure } from "./error-texts.ts";
import type { ErrorDetail } from "./errors.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Possible names of the sentence that a field `detail` belongs to. */
const SENTENCE_FIELDS: readonly string[] = ["error", "text", "why", "problem"];
const DETAIL = /^(.+)_detail$/;
const DETAILS = /^(.+)_details$/;

/**
 * Returns an answer with its sentences in the reader's language: each one that has its detail beside it (`error` with
 * `detail`, `last_error` with `last_error_detail`, `warnings` with `warning_details`). Everything else stays as it is.
 */
export function translateAnswer<Answer>(answer: Answer, language: string): Answer {
  return language === "en" ? answer : (translate(answer, language) as Answer);
}

function translate(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map((item) => translate(item, language));
  if (!isPlain(value)) return value;
  const translated = Object.entries(value).map(([name, field]) => [name, translate(field, language)]);
  return { ...Object.fromEntries(translated), ...translateSentences(value, language) };
}

function translateSentences(fields: Fields, language: string): Fields {
  const { error, error_detail = fields.detail } = fields;
  const code = readCode(fields);
  const changed: Record<string, unknown> = {};
  // An error without a detail at least gets the meaning of its code.
  if (typeof error === "string" && code !== undefined && !isDetail(error_detail))
    changed.error = formatFailure({ error, code }, language);
  for (const [name, field] of Object.entries(fields)) {
    for (const sentence of findSentenceNames(name)) {
      const translated = translateBeside(fields[sentence], field, { language, code });
      if (translated !== undefined) changed[sentence] = translated;
    }
  }
  return changed;
}

/** Returns the names of the sentences that a field with this name is the detail of. */
function findSentenceNames(name: string): readonly string[] {
  if (name === "detail") return SENTENCE_FIELDS;
  const [, single] = DETAIL.exec(name) ?? [];
  const [, plural] = DETAILS.exec(name) ?? [];
  if (single !== undefined) return [single, `${single}_message`];
  return plural === undefined ? [] : [`${plural}s`];
}

interface Reading {
  readonly language: string;
  readonly code?: string | undefined;
}

function translateBeside(sentence: unknown, detail: unknown, reading: Reading): unknown {
  if (Array.isArray(sentence) && Array.isArray(detail))
    return sentence.map((item, at) => translateBeside(item, detail[at], reading) ?? item);
  if (typeof sentence !== "string" || !isDetail(detail)) return undefined;
  return formatFailure({ error: sentence, code: reading.code, detail }, reading.language);
}

function readCode({ code, error_code = code }: Fields): string | undefined {
  return typeof error_code === "string" ? error_code : undefined;
}

function isDetail(value: unknown): value is ErrorDetail {
  return isPlain(value) && typeof value.key === "string";
}

function isPlain(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
