import { type ListItem, parseMarkdown, type TextBlock } from "./document.ts";
import type { TextMark, TextRun } from "./runs.ts";

/** A row of a table: the text of its cells. */
export type TableRow = readonly (readonly TextRun[])[];

/** A piece of a message; a message is a list of pieces. Labels of list items, line ends and gaps between blocks are runs without marks. */
export type TextPiece =
  | { readonly type: "runs"; readonly runs: readonly TextRun[] }
  | { readonly type: "code"; readonly text: string; readonly language: string }
  | { readonly type: "rule" }
  /** A table; the header is omitted where it is empty. */
  | { readonly type: "table"; readonly rows: readonly TableRow[] }
  /** A quote; quotes inside it are lines that begin with a bar. */
  | { readonly type: "quote"; readonly pieces: readonly TextPiece[] };

/** Block forms that a platform supports; unsupported ones become lines of text. */
export interface LayoutOptions {
  readonly tables?: boolean;
  readonly quotes?: boolean;
}

const BAR = "│ ";
const BOLD: TextMark = { type: "bold" };

/** Lays out a Markdown text as message pieces: headings in bold, list items as lines. Undefined for a text without marks, which is sent as written. */
export function layOutMarkdown(markdown: string, options: LayoutOptions = {}): readonly TextPiece[] | undefined {
  const blocks = parseMarkdown(markdown);
  return isUnmarked(markdown, blocks) ? undefined : layOutBlocks(blocks, { ...options, indent: "" });
}

/** Returns true when a text reads the same with and without its formatting. */
function isUnmarked(markdown: string, blocks: readonly TextBlock[]): boolean {
  let text = "";
  for (const block of blocks) {
    if (block.type !== "paragraph" || block.runs.some(({ marks }) => marks.length > 0)) return false;
    text += block.runs.map((run) => run.text).join("");
  }
  return stripSpace(text) === stripSpace(markdown);
}

const stripSpace = (text: string) => text.replaceAll(/\s/g, "");

interface Layout extends LayoutOptions {
  /** Text at the beginning of each further line. */
  readonly indent: string;
}

function layOutBlocks(blocks: readonly TextBlock[], layout: Layout): readonly TextPiece[] {
  return blocks.flatMap((block, at) => [
    ...(at === 0 ? [] : [createGap(block, layout)]),
    ...layOutBlock(block, layout),
  ]);
}

/** Ends the line in front of a block; native blocks begin without an indent. */
function createGap(block: TextBlock, layout: Layout): TextPiece {
  return toTextPiece(lineEnd(block.isSpaced, layout) + (isNative(block, layout) ? "" : layout.indent));
}

const isNative = ({ type }: TextBlock, { tables, quotes }: Layout) =>
  type === "code" || type === "rule" || (type === "table" && tables) || (type === "quote" && quotes);

const lineEnd = (isSpaced: boolean, { indent }: Layout) => (isSpaced ? `\n${indent.trimEnd()}\n` : "\n");

const toTextPiece = (text: string): TextPiece => ({ type: "runs", runs: [{ text, marks: [] }] });

function layOutBlock(block: TextBlock, layout: Layout): readonly TextPiece[] {
  switch (block.type) {
    case "paragraph":
      return [{ type: "runs", runs: indentRuns(block.runs, layout) }];
    case "heading":
      return [{ type: "runs", runs: indentRuns(toBold(block.runs), layout) }];
    case "code":
      return [{ type: "code", text: block.text, language: block.language }];
    case "rule":
      return [{ type: "rule" }];
    case "list":
      return block.items.flatMap((item, at) => layOutItem(item, at === 0, layout));
    case "table":
      return layOutTable(block.rows, layout);
    case "quote":
      return layOutQuote(block.blocks, layout);
  }
}

function indentRuns(runs: readonly TextRun[], { indent }: Layout): readonly TextRun[] {
  return runs.map(({ text, marks }) => ({ text: text.replaceAll("\n", `\n${indent}`), marks }));
}

function toBold(runs: readonly TextRun[]): readonly TextRun[] {
  return runs.map((run) =>
    run.marks.some(({ type }) => type === "bold") ? run : { ...run, marks: [BOLD, ...run.marks] },
  );
}

function layOutItem({ label, isSpaced, blocks }: ListItem, isFirst: boolean, layout: Layout): readonly TextPiece[] {
  const gap = isFirst ? "" : lineEnd(isSpaced, layout) + layout.indent;
  const inner = { ...layout, indent: layout.indent + " ".repeat(label.length + 1) };
  const [first] = blocks;
  const after = !first ? "" : isNative(first, layout) ? "\n" : " ";
  return [toTextPiece(gap + label + after), ...layOutBlocks(blocks, inner)];
}

function layOutTable(rows: readonly TableRow[], { tables, indent }: Layout): readonly TextPiece[] {
  const [head = [], ...body] = rows;
  const visibleRows = head.some((cell) => cell.length > 0) ? [head.map(toBold), ...body] : body;
  if (tables) return [{ type: "table", rows: visibleRows }];
  const separator = { text: " | ", marks: [] };
  const lines = visibleRows.map((row) =>
    row.flatMap((cell, at) => [...(at === 0 ? [] : [separator]), ...toOneLine(cell)]),
  );
  const end = { text: `\n${indent}`, marks: [] };
  return [{ type: "runs", runs: lines.flatMap((line, at) => (at === 0 ? line : [end, ...line])) }];
}

const toOneLine = (cell: readonly TextRun[]) =>
  cell.map(({ text, marks }): TextRun => ({ text: text.replaceAll("\n", " "), marks }));

function layOutQuote(blocks: readonly TextBlock[], layout: Layout): readonly TextPiece[] {
  if (layout.quotes) {
    return [{ type: "quote", pieces: layOutBlocks(blocks, { ...layout, quotes: false, indent: "" }) }];
  }
  return [toTextPiece(BAR), ...layOutBlocks(blocks, { ...layout, indent: layout.indent + BAR })];
}
