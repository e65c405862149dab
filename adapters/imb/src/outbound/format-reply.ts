import { DeliveryError } from "@parley/core";
import { escapeHtml } from "@parley/core/http";
import {
  closeMarks,
  layOutMarkdown,
  RULE,
  runsToPlainText,
  spellOutLinks,
  splitMarkdown,
  type TableRow,
  type TextMark,
  type TextPiece,
  type TextRun,
  toPlainText,
} from "@parley/core/markdown";

export interface FormattedText {
  readonly text: string;
  readonly parse_mode?: "HTML";
}

const TAG_BY_MARK: Readonly<Record<TextMark["type"], string>> = {
  bold: "b",
  italic: "i",
  strike: "s",
  code: "code",
  link: "a",
};
/** Matches addresses that the platform shows as links; it drops all others. */
const LINKABLE_URL = /^(?:https?|tg):/i;
/** Matches errors for a message that was deleted or is too old to edit. */
export const NOT_EDITABLE = /to edit not found|can't be edited/i;
/** Maximum length of a part, below the platform's limit of 4,096. */
const MAX_PART_CHARS = 4_000;
/** Appended to an unfinished text. */
const CONTINUATION_MARK = " …";
const MAX_COLUMN = 40;
const CELL_SEPARATOR = " | ";

/** Formats a text for the platform; one without marks stays as it was written. */
export function formatText(markdown: string): FormattedText {
  const html = toHtml(markdown);
  // Marks without text would be rejected as an empty message.
  if (html === undefined || html.replaceAll(/<[^>]*>|\s/g, "") === "") return { text: markdown };
  return { text: html, parse_mode: "HTML" };
}

/** Sends a formatted text; again as plain text where the platform rejects the formatting. */
export async function sendFormatted<Sent>(
  markdown: string,
  send: (body: FormattedText) => Promise<Sent>,
): Promise<Sent> {
  const formatted = formatText(markdown);
  try {
    return await send(formatted);
  } catch (error) {
    const isRejected = DeliveryError.is(error) && error.failure === "payload" && !NOT_EDITABLE.test(error.message);
    if (formatted.parse_mode === undefined || !isRejected) throw error;
  }
  return send({ text: toPlainText(markdown) });
}

/** Splits a reply into messages within the platform's limit, counted as formatted. */
export function splitParts(markdown: string, limit = MAX_PART_CHARS): readonly string[] {
  return splitMarkdown(markdown, limit, (part) => formatText(part).text.length);
}

/** Returns the beginning of an unfinished reply, as one message. */
export function toPartialText(markdown: string): string {
  const [first = ""] = splitParts(markdown.slice(0, 2 * MAX_PART_CHARS), MAX_PART_CHARS - CONTINUATION_MARK.length);
  return closeMarks(first, CONTINUATION_MARK);
}

/** Converts Markdown to the platform's HTML; undefined for a text without marks. */
export function toHtml(markdown: string): string | undefined {
  return layOutMarkdown(markdown, { tables: true, quotes: true })?.map(pieceToHtml).join("");
}

function pieceToHtml(piece: TextPiece): string {
  switch (piece.type) {
    case "runs":
      return runsToHtml(piece.runs);
    case "code":
      return codeToHtml(piece.text, piece.language);
    case "rule":
      return RULE;
    case "table":
      return tableToHtml(piece.rows);
    case "quote":
      return `<blockquote>${piece.pieces.map(pieceToHtml).join("")}</blockquote>`;
  }
}

/** Writes text with its tags; a tag that continues in the next run stays open. */
function runsToHtml(runs: readonly TextRun[]): string {
  const open: TextMark[] = [];
  let html = "";
  const closeTo = (count: number) => {
    while (open.length > count) html += `</${TAG_BY_MARK[open.pop()?.type ?? "bold"]}>`;
  };
  for (const { text, marks } of spellOutLinks(runs, (url) => LINKABLE_URL.test(url)).map(toAllowedMarks)) {
    const common = marks.findIndex((mark, at) => open[at]?.type !== mark.type || open[at]?.url !== mark.url);
    closeTo(common < 0 ? marks.length : common);
    for (const mark of marks.slice(open.length)) {
      html += mark.type === "link" ? `<a href="${escapeHtml(mark.url ?? "")}">` : `<${TAG_BY_MARK[mark.type]}>`;
      open.push(mark);
    }
    html += escapeHtml(text);
  }
  closeTo(0);
  return html;
}

/** Removes marks that the platform cannot nest: code with any other mark, and code in a link. */
function toAllowedMarks({ text, marks }: TextRun): TextRun {
  const link = marks.find(({ type }) => type === "link");
  if (link) return { text, marks: [link, ...marks.filter(({ type }) => type !== "link" && type !== "code")] };
  const code = marks.find(({ type }) => type === "code");
  return code ? { text, marks: [code] } : { text, marks };
}

function codeToHtml(text: string, language: string): string {
  if (language === "") return `<pre>${escapeHtml(text)}</pre>`;
  return `<pre><code class="language-${escapeHtml(language)}">${escapeHtml(text)}</code></pre>`;
}

/** Writes a table as preformatted text with aligned columns, because only there all characters are equally wide. */
function tableToHtml(rows: readonly TableRow[]): string {
  const cells = rows.map((row) => row.map((cell) => runsToPlainText(cell).replaceAll("\n", " ").trim()));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.min(MAX_COLUMN, Math.max(...cells.map((row) => getDisplayWidth(row[column] ?? "")))),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => padCell(cell, widths[column] ?? 0))
      .join(CELL_SEPARATOR)
      .trimEnd(),
  );
  return `<pre>${escapeHtml(lines.join("\n"))}</pre>`;
}

const padCell = (cell: string, width: number) => cell + " ".repeat(Math.max(0, width - getDisplayWidth(cell)));

/** Matches characters that are two columns wide: CJK and most emoji. */
const WIDE_CHARACTERS =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function getDisplayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce((sum, { segment }) => sum + (WIDE_CHARACTERS.test(segment) ? 2 : 1), 0);
}
