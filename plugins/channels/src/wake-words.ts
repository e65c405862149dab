/** A letter or digit that goes on with the word before it; scripts without spaces between words say nothing about that. */
const GOES_ON =
  /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{M}\p{N}_]/u;

/** Whether a message begins with one of the words that a channel's bot is called by. */
export function isCalled(words: unknown, text: string): boolean {
  if (!Array.isArray(words) || words.length === 0) return false;
  const said = text.trimStart().toLowerCase();
  return words.some((word) => {
    const called = String(word).toLowerCase();
    return said.startsWith(called) && !GOES_ON.test(said.slice(called.length));
  });
}
