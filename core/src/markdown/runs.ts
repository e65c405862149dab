import type { Token } from "./parser.ts";

const MARKS: Readonly<Record<string, TextMark["type"]>> = { strong: "bold", em: "italic", s: "strike", link: "link" };

/** Reads the tokens of a paragraph into runs; a line break is a `\n` of the text. */
export function readRuns(tokens: readonly Token[]): readonly TextRun[] {
  const runs: TextRun[] = [];
  const open: TextMark[] = [];
  const linkFrom: number[] = [];
  const add = (text: string, marks: readonly TextMark[] = open) => {
    if (text !== "") runs.push({ text, marks: removeRepeatedMarks(marks) });
  };
  for (const token of tokens) {
    const type = MARKS[token.type.replace(/_(?:open|close)$/, "")];
    if (type && token.nesting > 0) {
      if (type === "link") linkFrom.push(runs.length);
      open.push({ type, ...(type === "link" && { url: String(token.attrGet("href")) }) });
    } else if (type) {
      // A link without a text is shown by its address.
      if (type === "link" && linkFrom.pop() === runs.length) add(open.at(-1)?.url ?? "");
      open.pop();
    } else if (token.type === "code_inline") add(token.content, [...open, { type: "code" }]);
    else if (token.type === "image") addImage(token);
    else if (token.type === "softbreak" || token.type === "hardbreak") add("\n");
    else add(token.content);
  }
  return mergeRuns(runs);

  function addImage(token: Token) {
    const url = String(token.attrGet("src"));
    const alt = readRuns(token.children ?? []).map(({ text }) => text);
    const isLinked = open.some(({ type }) => type === "link");
    add(alt.join("") || url, isLinked ? open : [...open, { type: "link", url }]);
  }
}

function removeRepeatedMarks(marks: readonly TextMark[]): readonly TextMark[] {
  return marks.filter(({ type }, at) => marks.findIndex((one) => one.type === type) === at);
}

/** Joins adjacent runs with the same marks. */
function mergeRuns(runs: readonly TextRun[]): readonly TextRun[] {
  const merged: TextRun[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    if (last && hasSameMarks(last, run)) merged[merged.length - 1] = { ...last, text: last.text + run.text };
    else merged.push(run);
  }
  return merged;
}

function hasSameMarks({ marks }: TextRun, { marks: others }: TextRun): boolean {
  return (
    marks.length === others.length &&
    marks.every(({ type, url }, at) => type === others[at]?.type && url === others[at]?.url)
  );
}
/** A mark of a piece of text; inline code is `code`. */

export interface TextMark {
  readonly type: "bold" | "italic" | "strike" | "code" | "link";
  readonly url?: string;
}
/** A piece of text with the marks that apply to all of it, outermost first. */

export interface TextRun {
  readonly text: string;
  readonly marks: readonly TextMark[];
}
