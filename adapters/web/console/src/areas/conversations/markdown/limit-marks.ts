import { type CodeSplit, splitAtCode } from "./code-spans.ts";

/** The parser looks back from each of these signs over the whole paragraph: more of them would take it seconds. */
const MAX_SIGNS = 2_000;
const SIGNS = /[[\]*_~]/g;
const ESCAPABLE_SIGNS = /\\*[[\]*_~]/g;
const BLANK_LINE = /(\n[ \t]*\n)/;
/** Quotes and lists within each other, deeper than anybody can read. */
const TOO_DEEP = /^([ \t]*)((?:>|[-+*](?=[ \t]))(?:[ \t]*(?:>|[-+*](?=[ \t]))){29})/gm;

/** Escapes marks that nobody writes and that would keep the browser busy; a text that people write stays as it is. */
export function limitMarks(text: string): string {
  if (text.length <= MAX_SIGNS) return text;
  const shallow = text.replace(TOO_DEEP, "$1\\$2");
  if ((shallow.match(SIGNS)?.length ?? 0) <= MAX_SIGNS) return shallow;
  const pieces = splitAtCode(shallow).flatMap(splitParagraphs);
  const counts = countSigns(pieces);
  return pieces
    .map(({ text: part, isCode }, at) => (isCode || (counts[at] ?? 0) <= MAX_SIGNS ? part : escapeSigns(part)))
    .join("");
}

function splitParagraphs(piece: CodeSplit): readonly CodeSplit[] {
  if (piece.isCode) return [piece];
  return piece.text.split(BLANK_LINE).map((text) => ({ text, isCode: false }));
}

/** Counts, for each piece, the signs outside code of the whole paragraph that it belongs to. */
function countSigns(pieces: readonly CodeSplit[]): readonly number[] {
  let paragraph = 0;
  const paragraphs = pieces.map(({ text, isCode }) => {
    if (!isCode && BLANK_LINE.test(text)) paragraph += 1;
    return paragraph;
  });
  const sums = new Map<number, number>();
  for (const [at, { text, isCode }] of pieces.entries()) {
    const own = isCode ? 0 : (text.match(SIGNS)?.length ?? 0);
    sums.set(paragraphs[at] ?? 0, (sums.get(paragraphs[at] ?? 0) ?? 0) + own);
  }
  return paragraphs.map((one) => sums.get(one) ?? 0);
}

/** A sign behind an odd number of backslashes is escaped already. */
function escapeSigns(text: string): string {
  return text.replaceAll(ESCAPABLE_SIGNS, (found) =>
    found.length % 2 === 0 ? found : `${found.slice(0, -1)}\\${found.slice(-1)}`,
  );
}
