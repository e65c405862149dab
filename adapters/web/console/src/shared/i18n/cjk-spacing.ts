/** Marks both ends of a value filled into a Chinese text, until `applySpacing` replaces the marks. */
const EDGE_MARK = "\uE000";

export function markEdges(value: string): string {
  return `${EDGE_MARK}${value}${EDGE_MARK}`;
}

/** Inserts spaces between filled-in Latin letters or digits and Chinese characters, as in Chinese typesetting. */
export function applySpacing(text: string): string {
  return text
    .replaceAll(/(\p{Script=Han})\uE000+(?=[A-Za-z0-9])/gu, "$1 ")
    .replaceAll(/([A-Za-z0-9])\uE000+(?=\p{Script=Han})/gu, "$1 ")
    .replaceAll(EDGE_MARK, "");
}
