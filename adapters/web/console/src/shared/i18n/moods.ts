import { isChinese } from "./i18n.ts";
import { ENGLISH_MOODS } from "./mood-names.ts";

const BY_ENGLISH = new Map(Object.entries(ENGLISH_MOODS).map(([mood, english]) => [english, mood]));

/** Returns the name of a mood in the reader's language. */
export function formatMood(mood: string): string {
  return isChinese() ? mood : (ENGLISH_MOODS[mood] ?? mood);
}

/** Returns the stored mood for its localized name; an unknown text stays unchanged. */
export function parseMood(text: string): string {
  return isChinese() ? text : (BY_ENGLISH.get(text.toLowerCase()) ?? text);
}

/** Lists the built-in moods in the reader's language. */
export function listMoods(): readonly string[] {
  return Object.keys(ENGLISH_MOODS).map(formatMood);
}
