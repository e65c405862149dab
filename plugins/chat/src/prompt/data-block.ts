/** Wraps a recalled text in labelled delimiters and escapes any delimiter inside. */
export function toDataBlock(source: string, text: string): string {
  const safe = text.replaceAll(/<(\/?)data\b/gi, "&lt;$1data");
  return `<data source="${source}">\n${safe}\n</data>`;
}
