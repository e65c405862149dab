import { formatLink } from "../channels/format-content.ts";
import { layOutMarkdown, type TextPiece } from "./layout.ts";
import type { TextRun } from "./runs.ts";

/** Line shown for a horizontal rule where the platform has none. */
export const RULE = "———";

/** Converts Markdown to plain text: marks are removed, code stays as it is, a link is followed by its address. A text without marks is returned unchanged. */
export function toPlainText(markdown: string): string {
  return layOutMarkdown(markdown)?.map(pieceToPlainText).join("") ?? markdown;
}

function pieceToPlainText(piece: TextPiece): string {
  switch (piece.type) {
    case "runs":
      return runsToPlainText(piece.runs);
    case "code":
      return piece.text;
    case "rule":
      return RULE;
    case "table":
      return piece.rows.map((row) => row.map(runsToPlainText).join(" | ")).join("\n");
    case "quote":
      return piece.pieces.map(pieceToPlainText).join("");
  }
}

/** Writes text without marks; a link is followed by its address, unless the text is the address. */
export function runsToPlainText(runs: readonly TextRun[]): string {
  return spellOutLinks(runs, () => false)
    .map(({ text }) => text)
    .join("");
}

/** Replaces links that a platform does not support by their text and, unless equal, their address. */
export function spellOutLinks(runs: readonly TextRun[], isSupported: (url: string) => boolean): readonly TextRun[] {
  let linked = "";
  return runs.flatMap((run, at) => {
    const url = findLink(run);
    if (url === undefined || isSupported(url)) return [run];
    const marks = run.marks.filter(({ type }) => type !== "link");
    linked += run.text;
    if (findLink(runs[at + 1]) === url) return [{ ...run, marks }];
    const address = formatLink(linked, url).slice(linked.length);
    const isSame = url === `mailto:${linked}`;
    linked = "";
    return [{ ...run, marks }, ...(isSame || address === "" ? [] : [{ text: address, marks: [] }])];
  });
}

const findLink = (run: TextRun | undefined) => run?.marks.find(({ type }) => type === "link")?.url;
