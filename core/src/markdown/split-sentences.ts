import { findLineStarts, type Token, tokenize } from "./parser.ts";

/** A part of a Markdown text; `from` is the offset at which it begins. */
export interface MarkdownPart {
  readonly from: number;
  readonly text: string;
}

/** Text that is never cut: code, links, addresses, emphasis, brackets and quotes. */
const UNCUT =
  /(`+)[^`].*?\1|!?\[[^\][]*\]\([^()]*\)|<[^<>\s]+>|\b(?:[a-z][a-z+.-]*:\/\/|www\.)[!-~]+|\*\*[^*]+\*\*|\*[^*\n]+\*|__[^_]+__|~~[^~]+~~|“[^“”]*”|「[^「」]*」|『[^『』]*』|"[^"]*"|\([^()]*\)|（[^（）]*）/gis;
/** A beginning of a text whose last point ends no sentence. */
const ABBREVIATED = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|No|vs|etc|approx|e\.g|i\.e|\p{Lu})\.\s*$/u;
/** Pictures after a sentence, which belong to it. */
const LEADING_PICTURES = /^(?:(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)+[^\S\n]*)+/u;
/** Characters before a sentence that can be an abbreviation and what surrounds it. */
const LONGEST_ABBREVIATION = 32;
const INTRODUCES_NEXT = /[:：]\s*$/;
/** Blocks that stand before another one instead of by themselves. */
const LEADING_BLOCKS: ReadonlySet<string> = new Set(["heading_open", "hr"]);
const sentenceSegmenter = new Intl.Segmenter(["en", "zh"], { granularity: "sentence" });

/**
 * Splits a Markdown text into sentences, merged to at most `most` parts of similar length. Code blocks, lists, tables
 * and quotes stay whole. A text of one sentence, or one that is nested too deeply, is one part.
 */
export function splitSentences(markdown: string, most: number): readonly MarkdownPart[] {
  const starts = [0, ...findStarts(markdown)];
  const sentences = starts
    .map((from, at) => toPart(markdown, from, starts[at + 1] ?? markdown.length))
    .filter(({ text }) => text !== "");
  return mergeParts(markdown, sentences, most);
}

/** Returns the part between two offsets, without the blank lines and spaces around it. */
function toPart(markdown: string, start: number, end: number): MarkdownPart {
  const whole = markdown.slice(start, end);
  const text = whole.replace(/^(?:[^\S\n]*\n)+/, "");
  return { from: start + whole.length - text.length, text: text.trimEnd() };
}

/** Returns the offsets, after the first one, at which a block or a sentence begins. */
function findStarts(markdown: string): readonly number[] {
  // The parser counts a lone carriage return as a line end.
  const tokens = /\r(?!\n)/.test(markdown) ? undefined : tokenize(markdown);
  const blocks = tokens?.filter(({ level, map, nesting }) => level === 0 && map && nesting >= 0) ?? [];
  const lines = findLineStarts(markdown);
  const toOffset = (line = 0) => lines[line] ?? markdown.length;
  return blocks.flatMap((block, at) => {
    const [from, to] = [toOffset(block.map?.[0]), toOffset(block.map?.[1])];
    const isLed = at === 0 || leadsNext(markdown.slice(0, from), blocks[at - 1]);
    const inner = block.type === "paragraph_open" ? findSentenceStarts(markdown.slice(from, to)) : [];
    return [...(isLed ? [] : [from]), ...inner.map((start) => from + start)];
  });
}

function leadsNext(before: string, block: Token | undefined): boolean {
  return block !== undefined && (LEADING_BLOCKS.has(block.type) || INTRODUCES_NEXT.test(before));
}

/** Returns the offsets, after the first one, at which a sentence of a paragraph begins. */
function findSentenceStarts(paragraph: string): readonly number[] {
  const uncut = [...paragraph.matchAll(UNCUT)].map(({ index, 0: { length } }) => [index, index + length] as const);
  const starts: number[] = [];
  for (const { index } of sentenceSegmenter.segment(paragraph)) {
    // Only the last word before a sentence decides, so a long text takes no longer than its length.
    const before = paragraph.slice(Math.max(0, index - LONGEST_ABBREVIATION), index);
    const start = index + (LEADING_PICTURES.exec(paragraph.slice(index))?.[0].length ?? 0);
    if (before.trim() === "" || paragraph.slice(start).trim() === "") continue;
    if (ABBREVIATED.test(before) || INTRODUCES_NEXT.test(before)) continue;
    if (uncut.some(([from, to]) => from < start && start < to)) continue;
    starts.push(start);
  }
  return starts;
}

/** Merges consecutive parts until at most `most` of similar length are left. */
function mergeParts(markdown: string, parts: readonly MarkdownPart[], most: number): readonly MarkdownPart[] {
  const merged: MarkdownPart[] = [];
  let at = 0;
  while (at < parts.length && merged.length < most) {
    const left = parts.slice(at);
    const count = countMerged(left, most - merged.length);
    const next = parts[at + count];
    merged.push(toPart(markdown, left[0]?.from ?? 0, next?.from ?? markdown.length));
    at += count;
  }
  return merged;
}

/** Returns how many of the parts become the first one when the rest become `most` - 1 more. */
function countMerged(parts: readonly MarkdownPart[], most: number): number {
  if (most <= 1) return parts.length;
  const target = parts.reduce((sum, { text }) => sum + text.length, 0) / Math.min(most, parts.length);
  let length = 0;
  let count = 0;
  for (const { text } of parts.slice(0, parts.length - Math.min(most, parts.length) + 1)) {
    if (count > 0 && length + text.length / 2 > target) break;
    length += text.length;
    count += 1;
  }
  return count;
}
