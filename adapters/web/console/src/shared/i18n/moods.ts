import { isChinese } from "./i18n.ts";
import { ENGLISH_MOODS } from "./mood-names.ts";

/** A mood in the reader's language. */
export function moodText(mood: string): string {
  return isChinese() ? mood : (ENGLISH_MOODS[mood] ?? mood);
}
