import { isChinese } from "./i18n.ts";
import { ENGLISH_MOODS } from "./mood-names.ts";

const BY_ENGLISH = new Map(Object.entries(ENGLISH_MOODS).map(([mood, english]) => [english, mood]));

/** A mood in the reader's language. */
export function formatMood(mood: string): string {
  return isChinese() ? mood : (ENGLISH_MOODS[mood] ?? mood);
}

/** The other way round: the mood that is meant by what was written. */
export function parseMood(text: string): string {
  return isChinese() ? text : (BY_ENGLISH.get(text.toLowerCase()) ?? text);
}

/** Those of the product, in the reader's language. */
export function listMoods(): readonly string[] {
  return Object.keys(ENGLISH_MOODS).map(formatMood);
}
