/** A recalled text inside its labelled delimiters; what looks like a delimiter in it is defused. */
export function dataBlock(source: string, text: string): string {
  const safe = text.replaceAll(/<(\/?)data\b/gi, "&lt;$1data");
  return `<data source="${source}">\n${safe}\n</data>`;
}
