/** Markdown syntax and its replacement, also where lines were joined into one. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/(?:```|~~~)\S*/g, ""],
  // An address may contain brackets, and a title may follow it.
  [/!?\[([^\]]*)\]\(<?(?:[^()\s<>]|\([^()\s]*\))*>?(?:\s+"[^"]*")?\)/g, "$1"],
  // An image may be cut off at the end of a preview.
  [/!\[([^\]]*)\]\([^)\s]*$/, "$1"],
  [/(^|\s)#{1,6}(?=\s)/g, "$1"],
  [/(^|\n)>(?=\s)/g, "$1"],
  [/(^|\s)(?:-{3,}|\*{3,}|_{3,})(?=\s|$)/g, "$1"],
  [/(?<!\\)(\*\*\*|\*\*|~~|`+)(?=\S)(.*?\S)\1/g, "$2"],
  [/(?<![\w/\\])(__|_)(?=[^\s_])([^_]*[^\s_])\1(?![\w.])/g, "$2"],
  [/(?<![\w*\\])\*(?=[^\s*])([^*]*[^\s*\\])\*(?![\w*])/g, "$1"],
  [/\\([!-/:-@[-`{-~])/g, "$1"],
  [/\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?)?/g, " "],
  [/\s+/g, " "],
];

/** Markdown syntax left open where the text was cut. */
const UNCLOSED_MARKUP: readonly (readonly [RegExp, string])[] = [
  [/!?\[([^\]]*)\](?:\([^)\s]*)?$/, "$1"],
  [/!?\[(?=[^\]\d])([^\]]*)$/, "$1"],
  [/(\*\*\*|\*\*|__|~~|`+)(?=\S)((?:(?!\1).)*)$/, "$2"],
  [/(?<![\w*])\*(?=[^\s*])([^*]*)$/, "$1"],
  [/[*_~`[\]!]+$/, ""],
];

/** Length of previews from the service; a preview of this length is truncated. */
const MAX_PREVIEW_LENGTH = 100;

/** Removes Markdown syntax, for places that show plain text. */
export function toPlainText(markdown: string): string {
  return removeMarkup(MARKUP, markdown).trim();
}

/** Converts a preview to plain text; a truncated one ends with an ellipsis. */
export function toPlainPreview(preview: string): string {
  if ([...preview].length < MAX_PREVIEW_LENGTH) return toPlainText(preview);
  return `${removeMarkup(UNCLOSED_MARKUP, toPlainText(preview)).trimEnd()}…`;
}

function removeMarkup(rules: typeof MARKUP, text: string): string {
  return rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), text);
}
