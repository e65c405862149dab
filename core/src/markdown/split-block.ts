import { type Token, tokenize } from "./parser.ts";

/** A text cut in two: `head` ends with the closing marks, `tail` begins with the marks opened again. */
export interface Halves {
  readonly head: string;
  readonly tail: string;
  /** Indentation to remove from the lines after this cut for as long as they have it, because they continue a list item that was cut. */
  readonly indent?: RegExp | undefined;
  /** True for a cut between rows of an outermost table, which leaves the visible content unchanged. */
  readonly isExact?: boolean;
}

/** Rare spaces that mark a position in a text; beside another space they have no effect on parsing. */
const SENTINELS = ["\u2003", "\u2002", "\u2004", "\u2005", "\u2006", "\u205f", "\u1680"];
const MARKUP: ReadonlySet<string> = new Set(["strong", "em", "s"]);

/** Cuts a text at an offset, given its tokens; undefined where it cannot be cut. */
export function splitAt(text: string, at: number, tokens: readonly Token[]): Halves | undefined {
  return text[at - 1] === "\n" ? splitAtLine(text, at, tokens) : splitInLine(text, at, tokens);
}

function splitAtLine(text: string, at: number, tokens: readonly Token[]): Halves | undefined {
  const line = text.slice(0, at).split("\n").length - 1;
  const enclosing = tokens.filter(({ map, nesting }) => map && nesting >= 0 && map[0] < line && line < map[1]);
  const leaf = enclosing.find(({ type }) => LEAVES.has(type));
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  if (leaf?.type === "paragraph_open") return splitInLine(text, at - 1, tokens);
  const numbered = findItemNumber(tokens, line);
  const renumbered = numbered === undefined ? tail : tail.replace(/^([\s>]*)\d{1,9}/, `$1${numbered}`);
  const { rest, indent } = dedent(renumbered, text, line, enclosing);
  if (leaf?.type === "fence") return { ...splitFence(head, rest, text, leaf, enclosing), indent };
  if (leaf?.type === "table_open")
    return line - (leaf.map?.[0] ?? 0) < 2
      ? undefined
      : { ...splitTable(head, rest, leaf, tokens), indent, isExact: leaf.level === 0 };
  return { head, tail: rest, indent };
}

const LEAVES: ReadonlySet<string> = new Set(["paragraph_open", "heading_open", "fence", "code_block", "table_open"]);

/** Returns the effective number of the list item that begins in a line, since lists often number every item with 1. */
function findItemNumber(tokens: readonly Token[], line: number): number | undefined {
  const counts: (number | undefined)[] = [];
  for (const token of tokens) {
    if (token.type === "ordered_list_open") counts.push(Number(token.attrGet("start") ?? 1) - 1);
    else if (token.type === "bullet_list_open") counts.push(undefined);
    else if (/_list_close$/.test(token.type)) counts.pop();
    else if (token.type === "list_item_open") {
      const before = counts.pop();
      const count = before === undefined ? undefined : before + 1;
      counts.push(count);
      if (token.map?.[0] === line && count !== undefined) return count;
    }
  }
  return undefined;
}

/**
 * Removes the indentation of the cut list item from the remaining lines; `from` is the first of them. Returns
 * `indent` when the item may continue after the text.
 */
function dedent(
  tail: string,
  text: string,
  from: number,
  enclosing: readonly Token[],
): { readonly rest: string; readonly indent?: RegExp } {
  const item = enclosing.findLast(({ type }) => type === "list_item_open");
  if (!item?.map || enclosing.some(({ type }) => type === "blockquote_open")) return { rest: tail };
  const lines = text.split("\n");
  const width = /^\s*(?:(?:[-+*]|\d{1,9}[.)])\s{1,4})+/.exec(lines[item.map[0]] ?? "")?.[0].length ?? 0;
  const indent = new RegExp(`^ {1,${Math.max(1, width)}}`);
  const tailLines = tail.split("\n");
  // The first line of the tail may be the end of a line.
  const first = lines.length - tailLines.length;
  const [, end] = item.map;
  const rest = tailLines
    .map((one, at) => (first + at >= from && first + at < end ? one.replace(indent, "") : one))
    .join("\n");
  return end < lines.length ? { rest } : { rest, indent };
}

function splitFence(
  head: string,
  tail: string,
  text: string,
  { map, markup, info }: Token,
  enclosing: readonly Token[],
): Halves {
  const opening = text.split("\n")[map?.[0] ?? 0] ?? "";
  const isQuoted = enclosing.some(({ type }) => type === "blockquote_open");
  const before = opening.slice(0, opening.lastIndexOf(markup[0] ?? "`", opening.length - info.length - 1) + 1);
  const prefix = before.slice(0, before.length - markup.length).replaceAll(/[^>\s]/g, " ");
  return { head: `${head}${prefix}${markup}`, tail: `${isQuoted ? prefix : ""}${markup}${info}\n${tail}` };
}

/** Splits a table; the second part repeats the columns with an empty header. */
function splitTable(head: string, tail: string, table: Token, tokens: readonly Token[]): Halves {
  const from = tokens.indexOf(table);
  const end = tokens.findIndex(({ type }, at) => at > from && type === "tr_close");
  const columns = tokens.slice(from, end).filter(({ type }) => type === "th_open").length;
  return { head, tail: `${"| ".repeat(columns)}|\n${"|-".repeat(columns)}|\n${tail}` };
}

/** Cuts a text inside a line of text or code. */
function splitInLine(text: string, at: number, tokens: readonly Token[]): Halves | undefined {
  const line = text.slice(0, at).split("\n").length - 1;
  const enclosing = tokens.filter(({ map, nesting }) => map && nesting >= 0 && map[0] <= line && line < map[1]);
  const fence = enclosing.find(({ type }) => type === "fence");
  if (fence) {
    if (line === fence.map?.[0]) return undefined;
    const { rest, indent } = dedent(text.slice(at), text, line + 1, enclosing);
    return { ...splitFence(`${text.slice(0, at)}\n`, rest, text, fence, enclosing), indent };
  }
  const enclosingMarks = findEnclosingMarks(text, at);
  if (!enclosingMarks) return undefined;
  const { open, quotes, heading } = enclosingMarks;
  const { rest, indent } = dedent(text.slice(at).replace(/^[ \t]*\n?[ \t]*/, ""), text, line + 1, enclosing);
  const hasOwnQuoteMarks = /^[ \t]*\n/.test(text.slice(at));
  return {
    head: text.slice(0, at).trimEnd() + open.toReversed().join(""),
    tail: `${hasOwnQuoteMarks ? "" : "> ".repeat(quotes)}${heading}${open.join("")}${rest}`,
    indent,
  };
}

interface EnclosingMarks {
  /** The opening marks, outermost first. */
  readonly open: readonly string[];
  readonly quotes: number;
  /** The marks of the heading, such as `##`. */
  readonly heading: string;
}

/** Finds the marks, quotes and heading that enclose an offset; undefined inside a cell or a link, which are not cut. */
function findEnclosingMarks(text: string, at: number): EnclosingMarks | undefined {
  const sentinel = SENTINELS.find((sign) => !text.includes(sign));
  if (sentinel === undefined) return undefined;
  const tokens = tokenize(`${text.slice(0, at)}${sentinel}${text.slice(at)}`) ?? [];
  const index = tokens.findIndex(({ type, content }) => type === "inline" && content.includes(sentinel));
  const [block, inline] = [tokens[index - 1], tokens[index]];
  if (!block || !inline || /^t[hd]_open$/.test(block.type)) return undefined;
  const open = findOpenMarks(inline.children ?? [], sentinel);
  const heading = block.type === "heading_open" && block.markup.startsWith("#") ? `${block.markup} ` : "";
  return open && { open, quotes: countOpenQuotes(tokens.slice(0, index)), heading };
}

/** Returns the marks open at the sentinel; undefined inside a link, which is not cut. */
function findOpenMarks(tokens: readonly Token[], sentinel: string): readonly string[] | undefined {
  const open: string[] = [];
  for (const { type, nesting, markup, content } of tokens) {
    if (type === "link_open") open.push("");
    else if (type === "link_close") open.pop();
    else if (MARKUP.has(type.replace(/_(?:open|close)$/, ""))) {
      if (nesting > 0) open.push(markup);
      else open.pop();
    } else if (content.includes(sentinel)) {
      if (open.includes("") || type === "image") return undefined;
      return type === "code_inline" ? [...open, markup] : open;
    }
  }
  return undefined;
}

function countOpenQuotes(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { type, nesting }) => sum + (type.startsWith("blockquote") ? nesting : 0), 0);
}
