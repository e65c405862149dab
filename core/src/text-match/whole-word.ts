import type { Range } from "./keywords.ts";

const LETTER = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts without spaces between words: every position is a word boundary. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Returns true when a range begins and ends at word edges; in Chinese, Japanese and Thai every range does. */
export function isWholeWord(text: string, [start, end]: Range): boolean {
  return isEdge(text, start) && isEdge(text, end);
}

function isEdge(text: string, at: number): boolean {
  const [before = "", after = ""] = [[...text.slice(Math.max(0, at - 2), at)].at(-1), [...text.slice(at, at + 2)][0]];
  return !(LETTER.test(before) && LETTER.test(after)) || UNSPACED.test(before) || UNSPACED.test(after);
}
