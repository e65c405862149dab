/** Matches a letter or digit that continues the previous word; scripts without spaces have no word boundaries. */
const WORD_CONTINUES =
  /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{M}\p{N}_]/u;

/** Returns true when a message begins with one of the channel's wake words. */
export function startsWithWakeWord(words: unknown, text: string): boolean {
  if (!Array.isArray(words) || words.length === 0) return false;
  const normalized = text.trimStart().toLowerCase();
  return words.some((word) => {
    const wakeWord = String(word).toLowerCase();
    return normalized.startsWith(wakeWord) && !WORD_CONTINUES.test(normalized.slice(wakeWord.length));
  });
}
