import type { Range } from "@parley/core/text-match";

/** Collects ranges that are cut out of a text, with their replacements. */
export interface TextCut {
  /** Adds a range to cut, with `instead` in its place; lower `rank` wins. Ranges of one rank must come in order. */
  add(range: Range, rank: number, instead?: string): void;
  /**
   * Returns the text without the ranges. Plain cuts may overlap, so that a longer word is removed whole in any order.
   * When one of two overlapping ranges has a replacement, only the one of lower rank is applied.
   */
  apply(text: string): string;
}

interface Claim {
  readonly instead: string;
  /** The ranges, merged where they overlap or touch. */
  readonly ranges: [start: number, end: number][];
}

const REMOVED = 1;
const REPLACED = 2;

export function createTextCut(): TextCut {
  const claims = new Map<number, Claim>();
  return {
    add([start, end], rank, instead = "") {
      const claim = claims.get(rank);
      if (!claim) {
        claims.set(rank, { instead, ranges: [[start, end]] });
        return;
      }
      const last = claim.ranges.at(-1);
      if (last && start <= last[1]) last[1] = Math.max(last[1], end);
      else claim.ranges.push([start, end]);
    },
    apply(text) {
      const taken = new Uint8Array(text.length);
      const gaps: (readonly [start: number, end: number, instead: string])[] = [];
      for (const [, { instead, ranges }] of [...claims].sort(([a], [b]) => a - b)) {
        for (const [start, end] of ranges) {
          const under = taken.subarray(start, end);
          if (under.includes(REPLACED) || (instead !== "" && under.includes(REMOVED))) continue;
          under.fill(instead === "" ? REMOVED : REPLACED);
          gaps.push([start, end, instead]);
        }
      }
      let result = "";
      let at = 0;
      for (const [start, end, instead] of gaps.sort(([a], [b]) => a - b)) {
        result += text.slice(at, start) + instead;
        at = Math.max(at, end);
      }
      return result + text.slice(at);
    },
  };
}

/** Widens the range so that it splits no character of two units. */
export function toWholeCharacters(text: string, [start, end]: Range): Range {
  return [isInside(text, start) ? start - 1 : start, isInside(text, end) ? end + 1 : end];
}

function isInside(text: string, index: number): boolean {
  return isSurrogate(text.charCodeAt(index - 1), 0xd800) && isSurrogate(text.charCodeAt(index), 0xdc00);
}

function isSurrogate(unit: number, from: number): boolean {
  return unit >= from && unit < from + 0x400;
}
