import type { Localized } from "../localized.ts";
import type { Sender } from "../message.ts";

/** A language in which the service itself speaks. */
export type Language = keyof Localized;

const HAN = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns the language to answer in: the sender's known one (or the channel's, where it sets one), else the one of the written script. */
export function languageOf({ sender, text = "" }: { readonly sender: Sender; readonly text?: string }): Language {
  const { language = "" } = sender;
  if (language !== "") return /^zh(?![a-z])/i.test(language) ? "zh" : "en";
  return HAN.test(text) && !KANA.test(text) ? "zh" : "en";
}

/** Returns a text in a language; a plain string is the same in both. */
export function inLanguage(text: string | Localized, language: Language): string {
  return typeof text === "string" ? text : text[language];
}

const LANGUAGE_RANGE = /^\s*(zh|en)(?![a-z])[^;]*(?:;\s*q\s*=\s*([\d.]+))?/i;

/**
 * Returns the reader's language by the header `Accept-Language` (RFC 9110 §12.5.4): of the languages here the one with
 * the highest quality, of equals the first. English when it names neither.
 */
export function parseAcceptLanguage(header = ""): Language {
  let best: { readonly language: Language; readonly quality: number } = { language: "en", quality: 0 };
  for (const range of header.split(",")) {
    const [, name, quality = "1"] = LANGUAGE_RANGE.exec(range) ?? [];
    if (name === undefined || !(Number(quality) > best.quality)) continue;
    best = { language: name.toLowerCase() === "zh" ? "zh" : "en", quality: Number(quality) };
  }
  return best.language;
}
