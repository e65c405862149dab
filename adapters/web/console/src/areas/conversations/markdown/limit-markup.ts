import { type CodeSplit, splitAtCode } from "./code-spans.ts";

/** The parser looks back over the whole paragraph from each of these signs; more of them would take seconds. */
const MAX_SIGNS = 2_000;
const SIGNS = /[[\]*_~]/g;
const ESCAPABLE_SIGNS = /\\*[[\]*_~]/g;
const BLANK_LINE = /(\n[ \t]*\n)/;
/** Quotes and lists nested 30 levels deep or more. */
const TOO_DEEP = /^([ \t]*)((?:>|[-+*](?=[ \t]))(?:[ \t]*(?:>|[-+*](?=[ \t]))){29})/gm;

/** Escapes excessive Markdown signs that would block the browser; ordinary text is unchanged. */
export function limitMarkup(text: string): string {
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

/** Returns, for each piece, how many signs outside code its whole paragraph has. */
function countSigns(pieces: readonly CodeSplit[]): readonly number[] {
  let paragraph = 0;
  const paragraphs = pieces.map(({ text, isCode }) => {
    if (!isCode && BLANK_LINE.test(text)) paragraph += 1;
    return paragraph;
  });
  const countByParagraph = new Map<number, number>();
  for (const [at, { text, isCode }] of pieces.entries()) {
    const signCount = isCode ? 0 : (text.match(SIGNS)?.length ?? 0);
    countByParagraph.set(paragraphs[at] ?? 0, (countByParagraph.get(paragraphs[at] ?? 0) ?? 0) + signCount);
  }
  return paragraphs.map((one) => countByParagraph.get(one) ?? 0);
}

/** Escapes signs that are not escaped yet: those after an even number of backslashes. */
function escapeSigns(text: string): string {
  return text.replaceAll(ESCAPABLE_SIGNS, (found) =>
    found.length % 2 === 0 ? found : `${found.slice(0, -1)}\\${found.slice(-1)}`,
  );
}
