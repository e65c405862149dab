import { type Token, tokenize } from "./parser.ts";
import { readRuns, type TextRun } from "./runs.ts";

/** One item of a list. */
export interface ListItem {
  /** `•`, the item's own number such as `3.`, or the box of a task. */
  readonly label: string;
  readonly isSpaced: boolean;
  readonly blocks: readonly TextBlock[];
}

/** A block of formatted text; `isSpaced`: an empty line precedes it. */
export type TextBlock = { readonly isSpaced: boolean } & (
  | { readonly type: "paragraph"; readonly runs: readonly TextRun[] }
  | { readonly type: "heading"; readonly level: number; readonly runs: readonly TextRun[] }
  | { readonly type: "code"; readonly text: string; readonly language: string }
  | { readonly type: "quote"; readonly blocks: readonly TextBlock[] }
  | { readonly type: "list"; readonly items: readonly ListItem[] }
  /** Cells by row; the first row is the head, whose cells may be empty. */
  | { readonly type: "table"; readonly rows: readonly (readonly (readonly TextRun[])[])[] }
  | { readonly type: "rule" }
);

/** A line without any character that begins Markdown syntax, so that it need not be parsed. */
const PLAIN =
  /^(?!\d{1,9}[.)]|[ -])[-\p{L}\p{M}\p{N}\p{Extended_Pictographic} ,.;:!?%'"()\u3001-\u3011\uff01-\uff1f\u2019…—]+(?<! )$/u;

let last: { readonly text: string; readonly blocks: readonly TextBlock[] } | undefined;

/** Parses a Markdown text into its blocks. Caches the last text, because the same part of a message is measured, compared and sent. */
export function parseMarkdown(text: string): readonly TextBlock[] {
  if (last?.text === text) return last.blocks;
  const tokens = PLAIN.test(text) ? undefined : tokenize(text);
  const blocks = tokens
    ? readDocument(text, tokens)
    : [{ type: "paragraph", isSpaced: false, runs: [{ text, marks: [] }] } as const];
  last = { text, blocks };
  return blocks;
}

/** Converts the tokens of a text to its blocks. */
export function readDocument(text: string, tokens: readonly Token[]): readonly TextBlock[] {
  return readBlocks({ tokens, at: 0, lines: text.split(/\r\n|\r|\n/) });
}

interface Cursor {
  readonly tokens: readonly Token[];
  readonly lines: readonly string[];
  at: number;
}

/** Reads blocks up to and including the token that closes the open one. */
function readBlocks(cursor: Cursor): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  for (;;) {
    const token = cursor.tokens[cursor.at];
    cursor.at += 1;
    if (!token || token.nesting < 0) return blocks;
    blocks.push(...readBlock(cursor, token));
  }
}

function readBlock(cursor: Cursor, token: Token): readonly TextBlock[] {
  const isSpaced = isAfterBlank(cursor, token);
  switch (token.type) {
    case "paragraph_open":
      return [{ type: "paragraph", isSpaced, runs: [...readIndent(cursor, token), ...readInline(cursor)] }];
    case "heading_open":
      return readHeading(cursor, token, isSpaced);
    case "fence":
    case "code_block":
      return [{ type: "code", isSpaced, text: token.content.replace(/\n$/, ""), language: readLanguage(token.info) }];
    case "blockquote_open":
      return [{ type: "quote", isSpaced, blocks: readBlocks(cursor) }];
    case "bullet_list_open":
    case "ordered_list_open":
      return [{ type: "list", isSpaced, items: readItems(cursor, token) }];
    case "table_open":
      return [{ type: "table", isSpaced, rows: readRows(cursor) }];
    case "hr":
      return [{ type: "rule", isSpaced }];
    default:
      throw new TypeError(`a Markdown text has no ${token.type}`);
  }
}

function isAfterBlank({ lines }: Cursor, { map }: Token): boolean {
  return map !== null && map[0] > 0 && /^[\s>]*$/.test(lines[map[0] - 1] ?? "");
}

/** Returns the spaces at the start of an outermost paragraph, which people use to indent. */
function readIndent({ lines }: Cursor, { level, map }: Token): readonly TextRun[] {
  const [text = ""] = (level === 0 && /^ +/.exec(lines[map?.[0] ?? 0] ?? "")) || [];
  return text === "" ? [] : [{ text, marks: [] }];
}

const readLanguage = (info: string) => /^[\w+#.-]+/.exec(info.trim())?.[0] ?? "";

/** Reads the text of an opened block and skips its end. */
function readInline(cursor: Cursor): readonly TextRun[] {
  const runs = readRuns(cursor.tokens[cursor.at]?.children ?? []);
  cursor.at += 2;
  return runs;
}

/** Reads a heading. In a chat a line of `-` below a text means a rule, not a heading. */
function readHeading(cursor: Cursor, { tag, markup, map }: Token, isSpaced: boolean): readonly TextBlock[] {
  const runs = readInline(cursor);
  if (markup !== "-") return [{ type: "heading", isSpaced, level: Number(tag.slice(1)), runs }];
  const line = (cursor.lines[(map?.[1] ?? 1) - 1] ?? "").replaceAll(/[\s>]/g, "");
  if (line.length >= 3)
    return [
      { type: "paragraph", isSpaced, runs },
      { type: "rule", isSpaced: false },
    ];
  return [{ type: "paragraph", isSpaced, runs: [...runs, { text: `\n${line}`, marks: [] }] }];
}

function readItems(cursor: Cursor, list: Token): readonly ListItem[] {
  const items: ListItem[] = [];
  let number = Number(list.attrGet("start") ?? 1);
  for (;;) {
    const token = cursor.tokens[cursor.at];
    cursor.at += 1;
    if (token?.type !== "list_item_open") return items;
    const isSpaced = isAfterBlank(cursor, token);
    const label = list.type === "ordered_list_open" ? `${number}${token.markup}` : "•";
    items.push({ isSpaced, ...readTaskBox(label, readBlocks(cursor)) });
    number += 1;
  }
}

/** Reads the checkbox of a task, which replaces the bullet. */
function readTaskBox(label: string, blocks: readonly TextBlock[]): Pick<ListItem, "label" | "blocks"> {
  const [first, ...others] = blocks;
  const [run, ...runs] = first?.type === "paragraph" ? first.runs : [];
  const box = /^\[([ xX])\](?:\s+|$)/.exec(run?.text ?? "");
  if (!box || !run || run.marks.length > 0 || first?.type !== "paragraph") return { label, blocks };
  const sign = box[1] === " " ? "☐" : "☑";
  const text = run.text.slice(box[0].length);
  const rest = { ...first, runs: [...(text === "" ? [] : [{ ...run, text }]), ...runs] };
  return { label: label === "•" ? sign : `${label} ${sign}`, blocks: [rest, ...others] };
}

function readRows(cursor: Cursor): readonly (readonly (readonly TextRun[])[])[] {
  const rows: (readonly TextRun[])[][] = [];
  for (;;) {
    const token = cursor.tokens[cursor.at];
    cursor.at += 1;
    if (!token || token.type === "table_close") return rows;
    if (token.type === "tr_open") rows.push([]);
    if (token.type === "inline") rows.at(-1)?.push(readRuns(token.children ?? []));
  }
}
