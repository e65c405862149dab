/** Returns the words of a list separated by commas, Chinese ones too. */
export function parseList(text: string): readonly string[] {
  return text
    .split(/[,，、]/)
    .map((word) => word.trim())
    .filter(Boolean);
}
