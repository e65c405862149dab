/** Markdown syntax around words, or at the start of a line that was joined to another. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/(?:```|~~~)\S*/g, ""],
  // An address may have brackets of its own, and a title after it.
  [/!?\[([^\]]*)\]\(<?(?:[^()\s<>]|\([^()\s]*\))*>?(?:\s+"[^"]*")?\)/g, "$1"],
  // What is shown in a list ends somewhere.
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

/** Maximum length of a preview: one of this length is truncated. */
const MAX_PREVIEW_LENGTH = 100;

/** The words of a text, where there is no room for its form. */
export function toPlainText(markdown: string): string {
  return removeMarkup(MARKUP, markdown).trim();
}

/** Converts a preview to plain text; a truncated one ends with an ellipsis. */
export function toPlainPreview(preview: string): string {
  if ([...preview].length < MAX_PREVIEW_LENGTH) return toPlainText(preview);
  return `${removeMarkup(UNCLOSED_MARKUP, toPlainText(preview)).trimEnd()}…`;
}

function removeMarkup(signs: typeof MARKUP, text: string): string {
  return signs.reduce((left, [sign, words]) => left.replace(sign, words), text);
}
