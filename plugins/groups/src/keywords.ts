/** Scripts that are written without spaces, so that a word may stand anywhere. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u;

/** Returns true when the text contains one of the words: a whole word, or any part of the text in scripts without spaces. */
export function containsKeyword(words: readonly string[], text: string): boolean {
  const lower = text.toLowerCase();
  return words.some((word) => word !== "" && containsWord(lower, word.toLowerCase()));
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = [...text.slice(0, at)].at(-1) ?? "";
    const [after = ""] = text.slice(at + word.length);
    if (!isJoined(before, word) && !isJoined(after, word)) return true;
  }
  return false;
}

/** Returns true when the character beside a word belongs to the same word. */
function isJoined(beside: string, word: string): boolean {
  return WORD_CHARACTER.test(beside) && !SPACELESS.test(beside) && !SPACELESS.test(word);
}
