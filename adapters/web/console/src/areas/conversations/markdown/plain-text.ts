/** Signs of Markdown that stand around words, or before a line that was joined to another. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/```\S*/g, ""],
  [/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1"],
  // What is shown in a list ends somewhere.
  [/!\[([^\]]*)\]\([^)\s]*$/, "$1"],
  [/(^|\s)#{1,6}(?=\s)/g, "$1"],
  [/^>(?=\s)/, ""],
  [/(\*\*|__|~~|`+)(?=\S)(.*?\S)\1/g, "$2"],
  [/(?<![\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\w*])/g, "$1"],
  [/\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?)?/g, " "],
  [/\s+/g, " "],
];

/** Signs that begin before the end of a text and would end behind it. */
const UNCLOSED_MARKUP: readonly (readonly [RegExp, string])[] = [
  [/!?\[([^\]]*)\](?:\([^)\s]*)?$/, "$1"],
  [/!?\[(?=[^\]\d])([^\]]*)$/, "$1"],
  [/(\*\*|__|~~|`+)(?=\S)((?:(?!\1).)*)$/, "$2"],
  [/(?<![\w*])\*(?=[^\s*])([^*]*)$/, "$1"],
  [/[*_~`[\]!]+$/, ""],
];

/** Previews have so many characters at most: one that is as long is the beginning of more. */
const MAX_PREVIEW_LENGTH = 100;

/** The words of a text, where there is no room for its form. */
export function toPlainText(markdown: string): string {
  return removeMarkup(MARKUP, markdown).trim();
}

/** The words of a preview; where the text goes on behind it, that is seen. */
export function toPlainPreview(preview: string): string {
  if ([...preview].length < MAX_PREVIEW_LENGTH) return toPlainText(preview);
  return `${removeMarkup(UNCLOSED_MARKUP, toPlainText(preview)).trimEnd()}…`;
}

function removeMarkup(signs: typeof MARKUP, text: string): string {
  return signs.reduce((left, [sign, words]) => left.replace(sign, words), text);
}
