/** Signs of Markdown that stand around words, or before a line that was joined to another. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
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

/** The words of a text, where there is no room for its form. */
export function plainOf(markdown: string): string {
  return SIGNS.reduce((text, [sign, words]) => text.replace(sign, words), markdown).trim();
}
