import { isChinese } from "../i18n/i18n.ts";

const MOST_NAMED = 8;
const MOST_LETTERS = 60;

/** The names of several in one line: of many the first ones, and of each what fits. */
export function someNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map(shortened);
  return [...shown, ...(names.length > MOST_NAMED ? ["…"] : [])].join(isChinese() ? "、" : ", ");
}

/** The beginning of a text, in one line. */
export function shortened(text: string): string {
  const letters = [...text.replaceAll(/\s+/g, " ").trim()];
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS - 1).join("")}…` : letters.join("");
}
