/** Code, where delimiters are literal; an unclosed fence extends to the end. */
const CODE_SPANS = /(^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?(?:^ {0,3}\2[^\n]*$|$(?![\s\S]))|(`+)(?!`)[\s\S]*?[^`]\3(?!`))/m;
// As pandoc has it: no space inside the signs, and no digit behind, so that prices stay prices.
const INLINE_MATH = /(?<![\\$])\$(?![\s$])([^$\n]*?[^\s\\$])\$(?![\d$])/g;

/** True when a text may contain formulas. */
export function hasMath(text: string): boolean {
  return /\\\(|\\\[|\$\$/.test(text) || new RegExp(INLINE_MATH.source).test(text);
}

/** Normalizes formulas as models write them (`$…$`, `\(…\)`, `\[…\]`) to the supported form; code is unchanged. */
export function normalizeMath(text: string): string {
  const parts: string[] = [];
  let rest = text;
  for (;;) {
    const match = CODE_SPANS.exec(rest);
    const at = match?.index ?? rest.length;
    parts.push(normalizeDelimiters(rest.slice(0, at)));
    if (!match) return parts.join("");
    parts.push(match[0]);
    rest = rest.slice(at + match[0].length);
  }
}

function normalizeDelimiters(text: string): string {
  return text
    .replaceAll(/\\\[([\s\S]+?)\\\]/g, (_, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replaceAll(/\\\((.+?)\\\)/g, (_, formula: string) => `$$${formula.trim()}$$`)
    .replaceAll(INLINE_MATH, (_, formula: string) => `$$${formula}$$`);
}
