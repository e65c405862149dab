import { findOpenFence } from "../channels/split-text.ts";
import { toVisibleContent } from "./visible-content.ts";

/** A link with an incomplete address at the end of a text. */
const HALF_LINK = /!?\[([^[\]\n]*)\]\([^()\s]*$/;
const TRAILING_MARKS = /(?:[*_~`]+|!?\[)$/;
const FENCE_LINE = /(?:^|\n) {0,3}(?:`{3,}[^`\n]*|~{3,}[^\n]*)$/;
const CLOSINGS = ["*", "**", "***", "_", "__", "~~", "`", "``"];
/** Marks within marks that are closed. */
const MAX_MARK_DEPTH = 3;

/** Closes the open marks of a Markdown text that is still being written, so that it renders correctly; `more` is appended as the sign that it continues. */
export function closeMarks(markdown: string, more = ""): string {
  const whole = markdown.trimEnd();
  const isFenceLine = FENCE_LINE.test(whole);
  const withoutFence = whole.replace(FENCE_LINE, "");
  if (findOpenFence(isFenceLine ? withoutFence : whole) !== undefined)
    return isFenceLine ? `${whole}\n${more.trim()}` : whole.replace(/\n[`~]{1,2}$/, "") + more;
  const text = withoutFence.replace(HALF_LINK, "$1").replace(TRAILING_MARKS, "").trimEnd() + more;
  // Marks end with their paragraph.
  const from = text.lastIndexOf("\n\n") + 1;
  let last = text.slice(from);
  for (let depth = 0; depth < MAX_MARK_DEPTH; depth += 1) {
    const closed = CLOSINGS.map((closing) => last + closing).reduce(pickShorter, last);
    if (closed === last) break;
    last = closed;
  }
  return text.slice(0, from) + last;
}

const pickShorter = (one: string, other: string) => (measureVisible(other) < measureVisible(one) ? other : one);

/** Returns the count of visible characters; effective marks do not count. */
function measureVisible(markdown: string): number {
  const pieces = JSON.parse(toVisibleContent(markdown)) as readonly { readonly text: string }[];
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}
