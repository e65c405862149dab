import { findLastGrapheme, findLastSentenceEnd, isBoundary } from "../channels/split-text.ts";
import { findLineStarts, type Token } from "./parser.ts";

/** Counts of further offsets that are tried after the best ones, where those would break something. */
const EXTRA_LINES = 8;
const EXTRA_SPACES = 6;
const EXTRA_CHARACTERS = 4;

/** Lists where a text may be cut so that the first part has at most `room` units, the best place first. */
export function findSplitPoints(text: string, room: number, tokens: readonly Token[]): readonly number[] {
  const window = text.slice(0, room);
  const half = Math.floor(room / 2);
  const good = [
    window.lastIndexOf("\n\n") + 2,
    window.lastIndexOf("\n") + 1,
    findLastSentenceEnd(window, half),
    Math.max(...[" ", "，", "、"].map((sign) => window.lastIndexOf(sign))) + 1,
  ];
  const places = [
    findWholeBlock(text, room, tokens),
    ...good.filter((at) => at > half),
    ...findPointsBefore(window, "\n", EXTRA_LINES),
    ...findPointsBefore(window, " ", EXTRA_SPACES),
  ];
  const characters: number[] = [];
  for (
    let at = findLastGrapheme(text, room);
    characters.length < EXTRA_CHARACTERS && at > 0;
    at = findLastGrapheme(text, at - 1)
  )
    characters.push(at);
  return [...new Set([...places.filter((at) => at > 0 && isBoundary(text, at)), ...characters])];
}

/** Returns the start of a code block or table that exceeds `room` units but would fit in the next part; else 0. */
function findWholeBlock(text: string, room: number, tokens: readonly Token[]): number {
  const starts = findLineStarts(text);
  const offsetOf = (line: number) => starts[line] ?? text.length;
  for (const { type, map } of tokens) {
    if (!map || (type !== "fence" && type !== "table_open")) continue;
    const [start, end] = [offsetOf(map[0]), offsetOf(map[1])];
    if (start < room && end > room && end - start <= room) return start;
  }
  return 0;
}

function findPointsBefore(window: string, sign: string, count: number): readonly number[] {
  const places: number[] = [];
  for (let at = window.lastIndexOf(sign); at > 0 && places.length < count; at = window.lastIndexOf(sign, at - 1))
    places.push(at + 1);
  return places;
}
