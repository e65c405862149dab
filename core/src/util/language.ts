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
