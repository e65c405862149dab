import type { Sender } from "../message.ts";
import type { Localized } from "../resource/field-schemas.ts";

/** A language in which the service itself speaks. */
export type Language = keyof Localized;

const HAN = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * In which language the service answers somebody: what is known of the sender, who has the channel's own language where it
 * sets one; else by the letters that were written.
 */
export function languageOf({ sender, text = "" }: { readonly sender: Sender; readonly text?: string }): Language {
  const { language = "" } = sender;
  if (language !== "") return /^zh(?![a-z])/i.test(language) ? "zh" : "en";
  return HAN.test(text) && !KANA.test(text) ? "zh" : "en";
}

/** A text as it is said in a language; what has only one is the same in both. */
export function inLanguage(text: string | Localized, language: Language): string {
  return typeof text === "string" ? text : text[language];
}
