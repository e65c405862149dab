/** Longer runs of fence characters are decoration, not fences. */
const FENCE = /^ {0,3}(`{3,16}(?=[^`]*$)|~{3,16}(?!~))(.*)$/;
const SENTENCE_END = /(?:[。！？…][”’」』）"')\]]*|[.!?]["')\]]*(?=\s))/g;
/** Pairs of characters that always have a grapheme boundary between them: ASCII characters and ideographs. */
const UNJOINED_PAIR = /^[\x20-\x7e\u4e00-\u9fff]{2}$/;
const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Cuts a text into parts of at most `limit` (at least 64) UTF-16 units and thus at most as many characters: at the
 * last blank line, line end, sentence end or space in the second half of the room, else between two graphemes; a code
 * block that fits stays whole, one that does not is closed and opened again. No part is empty. Joined, without those
 * fence lines and the white space at the cuts, the parts are the text.
 */
export function splitText(text: string, limit: number): readonly string[] {
  if (text.length <= limit) return text.trim() === "" ? [] : [text];
  const parts: string[] = [];
  let rest = text;
  let fence: string | undefined;
  const closing = text.includes("````") || text.includes("~~~") ? "\n".length + 16 : "\n```".length;
  while (rest.trim() !== "") {
    const head = fence === undefined ? "" : `${fence.length > limit / 4 ? toFenceMarks(fence) : fence}\n`;
    const room = limit - head.length;
    if (rest.length <= room) {
      parts.push(head + rest.trimEnd());
      break;
    }
    const at = findCut(rest, room - closing, fence !== undefined);
    const piece = rest.slice(0, at).trimEnd();
    rest = rest.slice(at);
    fence = findOpenFence(piece, fence);
    rest = fence === undefined ? rest.trimStart() : rest.replace(/^\r?\n/, "");
    if (piece !== "") parts.push(head + piece + (fence === undefined ? "" : `\n${toFenceMarks(fence)}`));
  }
  return parts;
}

/** Returns the offset to cut at: after `room` UTF-16 units at most. */
function findCut(text: string, room: number, isInFence: boolean): number {
  const window = text.slice(0, room);
  const half = Math.floor(room / 2);
  const block = isInFence ? undefined : findOpenBlock(window);
  if (block !== undefined && block > 0 && findBlockEnd(text, block) - block <= room) return block;
  const places = [
    window.lastIndexOf("\n\n") + 2,
    window.lastIndexOf("\n") + 1,
    findLastSentenceEnd(window, half),
    Math.max(window.lastIndexOf(" "), window.lastIndexOf("，"), window.lastIndexOf("、")) + 1,
  ];
  return places.find((at) => at > half && isBoundary(text, at)) ?? findLastGrapheme(text, room);
}

/** Returns the offset of the code block that is open at the end of a text; undefined when none is. */
function findOpenBlock(text: string): number | undefined {
  return findFence(text)?.at;
}

function findBlockEnd(text: string, start: number): number {
  let at = start;
  let open: string | undefined;
  for (const line of text.slice(start).split("\n")) {
    at += line.length + 1;
    const before = open;
    open = findOpenFence(line, open);
    if (before !== undefined && open === undefined) return at;
  }
  return Number.POSITIVE_INFINITY;
}

/** Returns the line that closes the code block at the end of a Markdown text; undefined when none is open. */
export function closingFence(text: string): string | undefined {
  const open = findOpenFence(text);
  return open === undefined ? undefined : toFenceMarks(open);
}

/**
 * Returns the line that opened the code block in which a text ends; undefined when it ends outside one. `before` is the opening line
 * of a block that was already open at the start of the text.
 */
export function findOpenFence(text: string, before?: string): string | undefined {
  return findFence(text, before)?.line;
}

function findFence(text: string, before?: string): { readonly line: string; readonly at: number } | undefined {
  let open = before === undefined ? undefined : { line: before, at: 0 };
  let at = 0;
  for (const line of text.split("\n")) {
    if (open === undefined ? FENCE.test(line) : isClosing(line, open.line))
      open = open === undefined ? { line: line.trim(), at } : undefined;
    at += line.length + 1;
  }
  return open;
}

const toFenceMarks = (fence: string) => FENCE.exec(fence)?.[1] ?? "```";

/** Returns true when a line closes the fence that `opening` began: the same signs, at least as many, and nothing after them. */
function isClosing(line: string, opening: string): boolean {
  const [, signs = "", after = ""] = FENCE.exec(line) ?? [];
  return signs.startsWith(toFenceMarks(opening)) && after.trim() === "";
}

/** Returns the end of the last sentence that ends after `from`; 0 when there is none. */
export function findLastSentenceEnd(window: string, from: number): number {
  let last = 0;
  for (const { index, 0: end } of window.slice(from).matchAll(SENTENCE_END)) last = from + index + end.length;
  return last;
}

/** Returns true when a grapheme begins at `at`, so that a cut there splits no mark or joiner from its base. Only for offsets after a complete character. */
export function isBoundary(text: string, at: number): boolean {
  const [, next] = graphemeSegmenter.segment(text.slice(at - 1, at + 2));
  return at >= text.length || next?.index === 1;
}

/** Returns the last grapheme boundary within `room`; where one grapheme fills all the room, the last boundary of a character. */
export function findLastGrapheme(text: string, room: number): number {
  const from = findSafeBoundary(text, room);
  let last = from;
  for (const { index } of graphemeSegmenter.segment(text.slice(from, room + 64))) {
    if (from + index > room) break;
    last = from + index;
  }
  if (last > 0) return last;
  const isPair = /[\ud800-\udbff]/.test(text.charAt(room - 1)) && /[\udc00-\udfff]/.test(text.charAt(room));
  return isPair ? room - 1 : room;
}

/**
 * Returns an offset before `room` that is a grapheme boundary for certain. Segmentation must start at one, because flags and joined
 * emoji depend on all that precedes them.
 */
function findSafeBoundary(text: string, room: number): number {
  let at = room - 1;
  while (at > 0 && !UNJOINED_PAIR.test(text.slice(at - 1, at + 1))) at -= 1;
  return Math.max(0, at);
}

/** Returns a text of at most `most` UTF-16 units: unchanged, or cut at a grapheme boundary and ended with `…`. */
export function truncateWithEllipsis(text: string, most: number): string {
  return text.length <= most ? text : `${truncate(text, most - 1).trimEnd()}…`;
}

/** Returns the beginning of a text, cut at a grapheme boundary, with at most `most` UTF-16 units. */
export function truncate(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, findLastGrapheme(text, most));
}
