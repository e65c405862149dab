/** A piece of a text; `keyword` is the one found there. */
export interface TextPiece {
  readonly text: string;
  readonly keyword?: string;
  readonly at: number;
}

/** Splits a text at its keywords, in any case, and at `exact` ranges; the pieces joined are the text. Of overlapping ranges, the first and longest counts. */
export function splitByKeywords(
  text: string,
  keywords: readonly string[],
  exact: readonly KeywordRange[] = [],
): readonly TextPiece[] {
  const lower = text.toLowerCase();
  const ranges: KeywordRange[] = [...exact];
  // Some letters become longer in lower case, which would shift the positions: such a text is not searched.
  for (const keyword of lower.length === text.length ? keywords : []) {
    const lowerKeyword = keyword.toLowerCase();
    if (lowerKeyword === "") continue;
    for (let at = lower.indexOf(lowerKeyword); at >= 0; at = lower.indexOf(lowerKeyword, at + lowerKeyword.length)) {
      ranges.push({ start: at, end: at + lowerKeyword.length, keyword });
    }
  }
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const { start, end, keyword } of ranges.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at || end > text.length) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), at });
    pieces.push({ text: text.slice(start, end), keyword, at: start });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), at });
  return pieces;
}

export interface KeywordRange {
  readonly start: number;
  readonly end: number;
  readonly keyword: string;
}
