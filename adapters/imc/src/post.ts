import { layOutMarkdown, spellOutLinks, type TextPiece, type TextRun } from "@parley/core/markdown";

/** An element of a line of a rich text. */
export type PostElement =
  | { readonly tag: "text"; readonly text: string; readonly style?: readonly string[] }
  | { readonly tag: "a"; readonly text: string; readonly href: string; readonly style?: readonly string[] }
  | { readonly tag: "code_block"; readonly text: string; readonly language?: string }
  | { readonly tag: "hr" };

type PostLine = readonly PostElement[];

const STYLE_BY_MARK: Readonly<Record<string, string>> = { bold: "bold", italic: "italic", strike: "lineThrough" };
const LINKABLE_URL = /^https?:/i;
/** Languages for which the platform has syntax highlighting; other languages are omitted. */
const LANGUAGES = new Set(
  "python c cpp go java kotlin swift php ruby rust javascript typescript bash shell sql json xml yaml html thrift".split(
    " ",
  ),
);
const LANGUAGE_ALIASES: Readonly<Record<string, string>> = {
  "c++": "cpp",
  js: "javascript",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shell",
  ts: "typescript",
  yml: "yaml",
};

/** Converts Markdown to the lines of a rich text; returns undefined for a text without formatting. */
export function toPost(markdown: string): readonly PostLine[] | undefined {
  const pieces = layOutMarkdown(markdown);
  if (!pieces) return undefined;
  const lines: PostElement[][] = [[]];
  for (const piece of pieces) addPiece(lines, piece);
  // The platform rejects lines without elements.
  return lines.map((line) => (line.length === 0 ? [{ tag: "text", text: " " }] : line));
}

function addPiece(lines: PostElement[][], piece: TextPiece): void {
  const last = lines.at(-1);
  if (piece.type === "rule") last?.push({ tag: "hr" });
  else if (piece.type === "code") last?.push({ tag: "code_block", text: piece.text, ...toLanguage(piece.language) });
  else if (piece.type === "runs")
    for (const run of spellOutLinks(piece.runs, (url) => LINKABLE_URL.test(url))) addRun(lines, run);
}

function addRun(lines: PostElement[][], { text, marks }: TextRun): void {
  const style = marks.flatMap(({ type }) => STYLE_BY_MARK[type] ?? []);
  const styled = style.length > 0 ? { style } : {};
  const href = marks.find(({ type }) => type === "link")?.url;
  for (const [at, line] of escapeMentions(text).split("\n").entries()) {
    if (at > 0) lines.push([]);
    if (line === "") continue;
    const end = lines.at(-1) ?? [];
    const last = end.at(-1);
    const isPlain = href === undefined && style.length === 0;
    if (isPlain && last?.tag === "text" && !last.style) end[end.length - 1] = { tag: "text", text: last.text + line };
    else
      end.push(href === undefined ? { tag: "text", text: line, ...styled } : { tag: "a", text: line, href, ...styled });
  }
}

function toLanguage(name: string): { readonly language?: string } {
  const language = LANGUAGE_ALIASES[name.toLowerCase()] ?? name.toLowerCase();
  return LANGUAGES.has(language) ? { language: language.toUpperCase() } : {};
}

/** Escapes mentions, so that a model cannot notify a whole group. */
export function escapeMentions(text: string): string {
  return text.replaceAll(/<(?=\/?at\b)/gi, "＜");
}
