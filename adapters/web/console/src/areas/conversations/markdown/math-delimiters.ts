import { splitAtCode } from "./code-spans.ts";

// As in pandoc: no space inside the dollar signs and no digit after them, so that prices are not taken for formulas.
const INLINE_MATH = /(?<![\\$])\$(?![\s$])([^$\n]*?[^\s\\$])\$(?![\d$])/g;

/** True when a text may contain formulas. */
export function hasMath(text: string): boolean {
  return /\\\(|\\\[|\$\$/.test(text) || new RegExp(INLINE_MATH.source).test(text);
}

/** Normalizes formulas as models write them (`$…$`, `\(…\)`, `\[…\]`) to the supported form; code is unchanged. */
export function normalizeMath(text: string): string {
  return splitAtCode(text)
    .map(({ text: part, isCode }) => (isCode ? part : normalizeDelimiters(part)))
    .join("");
}

function normalizeDelimiters(text: string): string {
  return text
    .replaceAll(/\\\[([\s\S]+?)\\\]/g, (_, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replaceAll(/\\\((.+?)\\\)/g, (_, formula: string) => `$$${formula.trim()}$$`)
    .replaceAll(INLINE_MATH, (_, formula: string) => `$$${formula}$$`);
}
