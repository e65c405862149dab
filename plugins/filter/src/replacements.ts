/** Noncharacters of Unicode, which no text is exchanged with: rules that look again do not find what was put there. */
const FIRST = 0xfdd0;
const MOST = 32;
const MARKS = /[\u{fdd0}-\u{fdef}]/gu;

/** Stands for what replaces other text until all rules are done with it. */
export interface Replacements {
  /** The sign for a text; "" when there are too many different ones. */
  markFor(replacement: string): string;
  /** With the texts in place of their signs. */
  filled(text: string): string;
}

export function createReplacements(): Replacements {
  const texts: string[] = [];
  return {
    markFor(replacement) {
      const known = texts.indexOf(replacement);
      if (known < 0 && texts.length >= MOST) return "";
      const at = known < 0 ? texts.push(replacement) - 1 : known;
      return String.fromCharCode(FIRST + at);
    },
    filled: (text) => text.replaceAll(MARKS, (mark) => texts[mark.charCodeAt(0) - FIRST] ?? ""),
  };
}

/** Signs that came in from outside stand for nothing. */
export function withoutMarks(text: string): string {
  return text.replaceAll(MARKS, "");
}
