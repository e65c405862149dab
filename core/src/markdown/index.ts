export { closeMarks } from "./close-marks.ts";
export { type LayoutOptions, layOutMarkdown, type TableRow, type TextPiece } from "./layout.ts";
export { RULE, runsToPlainText, spellOutLinks, toPlainText } from "./plain-text.ts";
export type { TextMark, TextRun } from "./runs.ts";
export { splitMarkdown } from "./split-markdown.ts";
export { type MarkdownPart, splitSentences } from "./split-sentences.ts";
