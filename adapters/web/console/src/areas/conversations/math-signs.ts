/** Code, in which signs mean themselves; a fence that never ends goes on to the end. */
const CODE = /(^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?(?:^ {0,3}\2[^\n]*$|$(?![\s\S]))|(`+)(?!`)[\s\S]*?[^`]\3(?!`))/m;
// As pandoc has it: no space inside the signs, and no digit behind, so that prices stay prices.
const INLINE = /(?<![\\$])\$(?![\s$])([^$\n]*?[^\s\\$])\$(?![\d$])/g;

/** Whether there may be formulas in a text. */
export function hasMath(text: string): boolean {
  return /\\\(|\\\[|\$\$/.test(text) || new RegExp(INLINE.source).test(text);
}

/** Formulas as models write them (`$…$`, `\(…\)`, `\[…\]`) in the one way that is read; code stays as it is. */
export function withMath(text: string): string {
  const parts: string[] = [];
  let rest = text;
  for (;;) {
    const found = CODE.exec(rest);
    const at = found?.index ?? rest.length;
    parts.push(marked(rest.slice(0, at)));
    if (!found) return parts.join("");
    parts.push(found[0]);
    rest = rest.slice(at + found[0].length);
  }
}

function marked(text: string): string {
  return text
    .replaceAll(/\\\[([\s\S]+?)\\\]/g, (_, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replaceAll(/\\\((.+?)\\\)/g, (_, formula: string) => `$$${formula.trim()}$$`)
    .replaceAll(INLINE, (_, formula: string) => `$$${formula}$$`);
}
