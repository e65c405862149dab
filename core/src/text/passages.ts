/** A piece of a text that is small enough to be found by its content. */
export interface Passage {
  readonly text: string;
  /** Headings above the passage, outermost first; empty when there are none. */
  readonly headings: readonly string[];
}

const MAX_CHARS = 500;
const OVERLAP = 50;
const HEADING = /^(#{1,6})[ \t]+(.+?)[ \t]*#*$/;
const FENCE = /^\s{0,3}(```|~~~)/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^\s*\|(?:\s*:?-{3,}:?\s*\|)+\s*$/;
/** Largest share of a passage that one part of a table takes. */
const MAX_TABLE_SHARE = 0.8;
const SENTENCE_ENDS = "。！？.!?";

/**
 * Splits a text at Markdown headings, and parts longer than 500 characters at the last blank line, else line, else
 * end of a sentence, with an overlap of 50 characters. Long Markdown tables are divided with their head repeated. Never
 * splits a character.
 */
export function passagesOf(text: string): readonly Passage[] {
  return splitSections(text).flatMap(({ headings, body }) =>
    splitBody(body).map((piece) => ({ text: piece, headings })),
  );
}

interface Section {
  readonly headings: readonly string[];
  readonly body: string;
}

function splitSections(text: string): readonly Section[] {
  const sections: Section[] = [];
  let headings: (string | undefined)[] = [];
  let lines: string[] = [];
  let isCode = false;
  const end = () => {
    const body = lines.join("\n");
    if (body.trim() !== "") sections.push({ headings: headings.filter((one) => one !== undefined), body });
    lines = [];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    if (FENCE.test(line)) isCode = !isCode;
    const [, marks, title = ""] = (isCode ? null : HEADING.exec(line)) ?? [];
    if (marks === undefined) {
      lines.push(line);
      continue;
    }
    end();
    headings = [...Array.from({ length: marks.length - 1 }, (_, level) => headings[level]), title.slice(0, 200)];
  }
  end();
  // A text of headings alone is one passage.
  if (sections.length === 0 && text.trim() !== "") return [{ headings: [], body: text }];
  return sections;
}

function splitBody(whole: string): readonly string[] {
  const body = whole.length > MAX_CHARS ? repeatTableHeads(whole) : whole;
  const characters = body.length > MAX_CHARS ? [...body] : undefined;
  if (!characters) return body.trim() === "" ? [] : [body.trim()];
  const pieces: string[] = [];
  for (let from = 0; from < characters.length; ) {
    const rest = characters.length - from;
    const length = rest <= MAX_CHARS ? rest : findPieceLength(characters, from);
    const piece = characters
      .slice(from, from + length)
      .join("")
      .trim();
    if (piece !== "") pieces.push(piece);
    if (length === rest) break;
    from += Math.max(1, length - OVERLAP);
  }
  return pieces;
}

/** Divides long Markdown tables into several with the same head, so that each row is found with the names of its columns. */
function repeatTableHeads(body: string): string {
  const lines: string[] = [];
  let head: readonly string[] = [];
  let length = 0;
  for (const [at, line] of body.split("\n").entries()) {
    if (TABLE_RULE.test(line) && TABLE_ROW.test(lines.at(-1) ?? "")) head = [lines.at(-1) ?? "", line];
    else if (!TABLE_ROW.test(line)) head = [];
    length = head.length === 0 || head.at(-1) === line ? 0 : length + line.length + 1;
    if (head.length > 0 && at > 0 && length + head.join("\n").length > MAX_CHARS * MAX_TABLE_SHARE) {
      lines.push("", ...head);
      length = line.length + 1;
    }
    lines.push(line);
  }
  return lines.join("\n");
}

/** Returns the length of the next piece: up to the best end in the second half of the window. */
function findPieceLength(characters: readonly string[], from: number): number {
  const least = MAX_CHARS / 2;
  let line = 0;
  let sentence = 0;
  for (let length = MAX_CHARS; length > least; length -= 1) {
    const last = characters[from + length - 1] as string;
    if (last === "\n" && characters[from + length - 2] === "\n") return length;
    if (last === "\n") line ||= length;
    if (SENTENCE_ENDS.includes(last)) sentence ||= length;
  }
  return line || sentence || MAX_CHARS;
}
