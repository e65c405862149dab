/** A letter or digit that goes on with the word before it; scripts without spaces between words say nothing about that. */
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
