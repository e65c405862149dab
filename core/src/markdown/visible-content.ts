import { parseMarkdown, type TextBlock } from "./document.ts";
import type { TextRun } from "./runs.ts";

/** Returns the visible content of consecutive texts with its formatting but without white space: equal for a text and its parts. */
export function toVisibleContent(...markdowns: readonly string[]): string {
  return contentOfBlocks(...markdowns.map(parseMarkdown));
}

/** Returns the visible content of parsed texts. */
export function contentOfBlocks(...texts: readonly (readonly TextBlock[])[]): string {
  const pieces: { kind: string; text: string }[] = [];
  const add = (kind: string, text: string) => {
    const visible = text.replaceAll(/\s/g, "");
    const last = pieces.at(-1);
    if (visible === "") return;
    if (last?.kind === kind) last.text += visible;
    else pieces.push({ kind, text: visible });
  };
  for (const blocks of texts) addBlocks(blocks, "", add);
  return JSON.stringify(pieces);
}

type Add = (kind: string, text: string) => void;

function addBlocks(blocks: readonly TextBlock[], around: string, add: Add): void {
  for (const block of blocks) {
    if (block.type === "paragraph") addRuns(block.runs, around, add);
    else if (block.type === "heading") addRuns(block.runs, `${around}h${block.level}`, add);
    else if (block.type === "code") add(`${around}pre ${block.language}`, block.text);
    else if (block.type === "rule") add(`${around}rule`, "—");
    else if (block.type === "quote") addBlocks(block.blocks, `${around}>`, add);
    else if (block.type === "table") for (const cell of block.rows.flat()) addRuns(cell, `${around}cell`, add);
    else addItems(block, around, add);
  }
}

function addItems({ items }: Extract<TextBlock, { type: "list" }>, around: string, add: Add): void {
  for (const { label, blocks } of items) {
    add(around, label);
    addBlocks(blocks, around, add);
  }
}

function addRuns(runs: readonly TextRun[], around: string, add: Add): void {
  for (const { text, marks } of runs) {
    const types = marks.map(({ type, url = "" }) => type + url).sort();
    add(`${around} ${types.join(" ")}`.trim(), text);
  }
}
