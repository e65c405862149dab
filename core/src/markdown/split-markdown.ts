import { truncate } from "../channels/split-text.ts";
import { readDocument } from "./document.ts";
import { findLineStarts, tokenize } from "./parser.ts";
import { toPlainText } from "./plain-text.ts";
import { type Halves, splitAt } from "./split-block.ts";
import { findSplitPoints } from "./split-points.ts";
import { contentOfBlocks, toVisibleContent } from "./visible-content.ts";

/** UTF-16 units examined beyond the limit for one cut; marks seldom reach further. */
const LOOK_AHEAD = 4_000;
const MIN_WINDOW_LENGTH = 8_000;
/** Maximum count of offsets tried for one cut. */
const MAX_TRIES = 30;
const MIN_ROOM = 16;
const MARKS = /[\\`*_~\]#>|+\-=!&<$.):]/g;

/** Measures a text as written and as sent; the larger one counts. */
type Measure = (markdown: string) => number;

/**
 * Cuts a Markdown text into parts of at most `limit` UTF-16 units (at least 64), both as written and by `lengthOf`,
 * the length as sent. Code, marks and quotes open at a cut are closed and reopened; list numbers continue. Code
 * blocks and tables that fit stay whole. No part is empty; no text is lost or repeated.
 */
export function splitMarkdown(
  markdown: string,
  limit: number,
  lengthOf: (markdown: string) => number = (part) => toPlainText(part).length,
): readonly string[] {
  // Texts above the limit as written need not be rendered.
  const measure: Measure = (text) => (text.length > limit ? text.length : Math.max(text.length, lengthOf(text)));
  const parts: string[] = [];
  if (markdown.trim() === "") return [];
  if (measure(markdown) <= limit) return [markdown];
  let rest = stripBlankLines(markdown.replaceAll(/\r\n?/g, "\n"));
  // Texts are uniform, so the last fitting length predicts the next.
  let likely = limit;
  while (rest !== "") {
    if (measure(rest) <= limit) {
      parts.push(rest.trimEnd());
      break;
    }
    const room = measureRoom(rest, likely, limit, measure);
    const halves = splitFirstPart(rest, room, limit, measure);
    likely = room;
    if (halves) {
      parts.push(halves.head);
      rest = stripBlankLines(halves.tail);
    } else {
      const block = takeToBlockEnd(rest, limit);
      parts.push(...splitLiterally(block, limit, measure));
      rest = stripBlankLines(rest.slice(block.length));
    }
  }
  return parts.filter((part) => part.trim() !== "");
}

const stripBlankLines = (text: string) => text.replace(/^(?:[ \t]*\n)+/, "").replace(/^\s+$/, "");

/** Cuts off a first part that fits; undefined when every cut would change the visible text. */
function splitFirstPart(text: string, most: number, limit: number, measure: Measure): Halves | undefined {
  let room = most;
  const window = truncate(text, Math.max(room + LOOK_AHEAD, MIN_WINDOW_LENGTH));
  const tokens = tokenize(window);
  if (!tokens) return undefined;
  let whole: string | undefined;
  const isWhole = ({ head, tail, isExact = false }: Halves) => {
    if (isExact) return true;
    whole ??= contentOfBlocks(readDocument(window, tokens));
    return toVisibleContent(head, tail) === whole;
  };
  for (let tries = 0; tries < MAX_TRIES && room >= MIN_ROOM; ) {
    let length = 0;
    for (const at of findSplitPoints(window, room, tokens)) {
      tries += 1;
      const halves = splitAt(window, at, tokens);
      if (!halves || halves.tail.length >= window.length || halves.head.trim() === "") continue;
      length = measure(halves.head);
      if (length > limit) break;
      if (isWhole(halves))
        return {
          head: halves.head.trimEnd(),
          tail: halves.tail + dedentRest(text.slice(window.length), halves.indent),
        };
    }
    if (length <= limit) return undefined;
    room = Math.min(estimateRoom(room, limit, length), room - 1);
  }
  return undefined;
}

/** Returns how many units at the beginning of a text fit; tries about `likely` units first. */
function measureRoom(text: string, likely: number, limit: number, measure: Measure): number {
  for (let tried = Math.min(limit, Math.ceil(likely * 1.25)); ; tried = Math.min(limit, tried * 2)) {
    const length = measure(truncate(text, tried));
    if (length > limit || tried === limit) return estimateRoom(tried, limit, length);
  }
}

/** Estimates how many units fit when `written` units have the measured `length`. */
const estimateRoom = (written: number, limit: number, length: number) =>
  length <= limit ? written : Math.floor((written * limit * 0.95) / length);

/** Removes the indentation of a cut list item from the lines that follow the examined window. */
function dedentRest(rest: string, indent: RegExp | undefined): string {
  if (indent === undefined) return rest;
  const lines = rest.split("\n");
  // The first line began inside the window.
  const end = lines.findIndex((line, at) => at > 0 && line.trim() !== "" && !indent.test(line));
  return lines.map((line, at) => (at > 0 && (end < 0 || at < end) ? line.replace(indent, "") : line)).join("\n");
}

/** Returns the text up to the end of the block that contains unit `limit`, parsed in ever longer beginnings. */
function takeToBlockEnd(text: string, limit: number): string {
  for (let length = 2 * limit; length < text.length; length *= 2) {
    const ends = findBlockEnds(text.slice(0, length));
    const at = ends.findIndex((end) => end >= limit);
    // The last block of a beginning may continue after it.
    if (at >= 0 && at < ends.length - 1) return text.slice(0, ends[at]);
  }
  return text.slice(0, findBlockEnds(text).find((end) => end >= limit) ?? text.length);
}

/** Returns the offsets at which the outermost blocks of a text end. */
function findBlockEnds(text: string): readonly number[] {
  const starts = findLineStarts(text);
  const blocks = tokenize(text)?.filter(({ level, map }) => level === 0 && map) ?? [];
  return blocks.map(({ map }) => (starts[map?.[1] ?? 0] ?? text.length + 1) - 1);
}

/** Splits the visible text, without its marks. */
function splitLiterally(markdown: string, limit: number, measure: Measure): readonly string[] {
  const parts: string[] = [];
  let rest = toPlainText(markdown).replaceAll(/^[ \t]+/gm, "");
  while (rest.trim() !== "") {
    let piece = truncate(rest, limit);
    while (measure(escapeMarks(piece)) > limit) piece = truncate(piece, Math.floor(piece.length * 0.8));
    parts.push(escapeMarks(piece).trimEnd());
    rest = rest.slice(piece.length).trimStart();
  }
  return parts;
}

const escapeMarks = (text: string) => text.replaceAll(MARKS, "\\$&");
