import { isChinese } from "../../i18n/i18n.ts";

const MAX_NAMES = 8;
const MAX_LENGTH = 60;

/** Joins at most eight names in one line, each truncated to 60 characters. */
export function listNames(names: readonly string[]): string {
  const shownNames = names.slice(0, MAX_NAMES).map(truncate);
  return [...shownNames, ...(names.length > MAX_NAMES ? ["…"] : [])].join(isChinese() ? "、" : ", ");
}

/** Truncates a text to one line of 60 characters. */
export function truncate(text: string): string {
  const letters = [...text.replaceAll(/\s+/g, " ").trim()];
  return letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH - 1).join("")}…` : letters.join("");
}
