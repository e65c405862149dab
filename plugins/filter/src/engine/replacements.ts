/** First Unicode noncharacter used as a placeholder; texts do not contain them, so that rules do not match replaced text again. */
const FIRST_PLACEHOLDER = 0xfdd0;
const MAX_PLACEHOLDERS = 32;
const PLACEHOLDER_PATTERN = /[\u{fdd0}-\u{fdef}]/gu;

/** Placeholders that stand for replacement texts until all rules have run. */
export interface Replacements {
  /** Returns the placeholder of a text; empty when there are too many different texts. */
  getPlaceholder(replacement: string): string;
  /** Replaces placeholders by their texts. */
  fillIn(text: string): string;
}

export function createReplacements(): Replacements {
  const texts: string[] = [];
  return {
    getPlaceholder(replacement) {
      const known = texts.indexOf(replacement);
      if (known < 0 && texts.length >= MAX_PLACEHOLDERS) return "";
      const at = known < 0 ? texts.push(replacement) - 1 : known;
      return String.fromCharCode(FIRST_PLACEHOLDER + at);
    },
    fillIn: (text) =>
      text.replaceAll(PLACEHOLDER_PATTERN, (mark) => texts[mark.charCodeAt(0) - FIRST_PLACEHOLDER] ?? ""),
  };
}

/** Removes placeholder characters from incoming text. */
export function stripPlaceholders(text: string): string {
  return text.replaceAll(PLACEHOLDER_PATTERN, "");
}
