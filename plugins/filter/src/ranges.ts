import type { Range } from "@parley/core/text-match";

/** Ranges joined where they overlap or touch; adding them by their ends, in order, costs the least. */
export interface Cut {
  /** `instead` stands where the range was; of joined ones the first that has something. */
  add(range: Range, instead?: string): void;
  /** The text without them. */
  from(text: string): string;
}

type Gap = readonly [start: number, end: number, instead: string];

export function createCut(): Cut {
  const joined: Gap[] = [];
  const add = ([start, end]: Range, instead = "") => {
    const later: Gap[] = [];
    let [first, last, shown] = [start, end, instead];
    for (let top = joined.at(-1); top !== undefined && top[1] >= first; top = joined.at(-1)) {
      joined.pop();
      if (top[0] > last) later.push(top);
      else [first, last, shown] = [Math.min(first, top[0]), Math.max(last, top[1]), top[2] || shown];
    }
    joined.push([first, last, shown], ...later.reverse());
  };
  return {
    add,
    from(text) {
      let kept = "";
      let at = 0;
      for (const [start, end, instead] of joined) {
        kept += text.slice(at, start) + instead;
        at = end;
      }
      return kept + text.slice(at);
    },
  };
}

/** The range widened so that it cuts no character of two units in half. */
export function wholeCharacters(text: string, [start, end]: Range): Range {
  return [isInside(text, start) ? start - 1 : start, isInside(text, end) ? end + 1 : end];
}

function isInside(text: string, index: number): boolean {
  return isBetween(text.charCodeAt(index - 1), 0xd800) && isBetween(text.charCodeAt(index), 0xdc00);
}

function isBetween(unit: number, from: number): boolean {
  return unit >= from && unit < from + 0x400;
}
