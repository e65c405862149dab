import type { MarkdownIt } from "markdown-it";

const SPACE = /^\s?$/u;
const PUNCTUATION = /^[\p{P}\p{S}]$/u;
/** Characters of languages that put no spaces between words, and their punctuation. */
const CJK = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\u3000-\u303f\uff00-\uffef]$/u;
/** Characters at the end of bold text that a word may follow directly, as in `**Note:**text`. */
const END = /^[:.!?…%"”’]$/;
const LETTER = /^\p{L}$/u;
const WORD = /^[A-Za-z0-9]$/;

/**
 * Lets marks begin and end beside Chinese, Japanese and Korean characters, as in `**重点：**后文`, where CommonMark requires
 * a space. Between two Latin letters or digits a `*` is text, as in `2*3*4`, and `**` may only end.
 */
export function relaxFlanking(markdown: MarkdownIt): void {
  const { State } = markdown.inline;
  markdown.inline.State = class extends State {
    override scanDelims(start: number, canSplitWord: boolean): ReturnType<InstanceType<typeof State>["scanDelims"]> {
      const { src, posMax } = this;
      const mark = src[start];
      let end = start;
      while (end < posMax && src[end] === mark) end += 1;
      const length = end - start;
      const before = characterBefore(src, start);
      const after = end < posMax ? String.fromCodePoint(src.codePointAt(end) ?? 32) : "";
      const opens = canTouch(after, before);
      const closes = canTouch(before, after) || (length > 1 && END.test(before) && LETTER.test(after));
      if (WORD.test(before) && WORD.test(after)) {
        return {
          can_open: mark === "~",
          can_close: mark === "~" || (mark === "*" && length > 1 && !/\d/.test(after)),
          length,
        };
      }
      return {
        can_open: opens && (canSplitWord || !closes || PUNCTUATION.test(before)),
        can_close: closes && (canSplitWord || !opens || PUNCTUATION.test(after)),
        length,
      };
    }
  };
}

/** Returns true when a mark may be placed next to the text `inner` that it encloses, with `outer` on its other side. */
function canTouch(inner: string, outer: string): boolean {
  if (SPACE.test(inner)) return false;
  if (!PUNCTUATION.test(inner) || CJK.test(inner)) return true;
  return SPACE.test(outer) || PUNCTUATION.test(outer) || CJK.test(outer);
}

function characterBefore(text: string, at: number): string {
  return [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? "";
}
