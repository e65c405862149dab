import type { Localized } from "../localized.ts";
import type { Sender } from "../message.ts";
import { listLanguages, pickForm } from "../text-registry.ts";

/** A language that the service itself always speaks. */
export type Language = keyof Localized;

const HAN = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns the language to answer in: the sender's known one (or the channel's, where it sets one), else the one of the written script. */
export function senderLanguage({ sender, text = "" }: { readonly sender: Sender; readonly text?: string }): string {
  const { language = "" } = sender;
  if (language !== "") return findLanguage(language) ?? "en";
  return HAN.test(text) && !KANA.test(text) ? "zh" : "en";
}

/** Returns a text in a language; a plain string is the same in all. */
export function inLanguage(text: string | Localized, language: string): string {
  return typeof text === "string" ? text : pickForm(text, language);
}

/** Returns the language of a tag (`zh-CN`); undefined when the service does not speak it. */
function findLanguage(tag: string): string | undefined {
  const [primary = ""] = tag
    .trim()
    .toLowerCase()
    .split(/[^a-z]/);
  return listLanguages().includes(primary) ? primary : undefined;
}

const QUALITY = /;\s*q\s*=\s*([\d.]+)/i;

/**
 * Returns the reader's language by the header `Accept-Language` (RFC 9110 §12.5.4): of the languages here the one with
 * the highest quality, of equals the first. English when it names none of them.
 */
export function acceptedLanguage(header = ""): string {
  let best: { readonly language: string; readonly quality: number } = { language: "en", quality: 0 };
  for (const range of header.split(",")) {
    const language = findLanguage(range);
    const quality = Number(QUALITY.exec(range)?.[1] ?? 1);
    if (language !== undefined && quality > best.quality) best = { language, quality };
  }
  return best.language;
}
