/** Matches a fenced block or an inline code span; an unclosed fence extends to the end. */
const CODE_SPANS = /(^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?(?:^ {0,3}\2[^\n]*$|$(?![\s\S]))|(`+)(?!`)[\s\S]*?[^`]\3(?!`))/m;

export interface CodeSplit {
  readonly text: string;
  readonly isCode: boolean;
}

/** Splits a text into code and the text between; the parts joined are the text. */
export function splitAtCode(text: string): readonly CodeSplit[] {
  const parts: CodeSplit[] = [];
  let rest = text;
  for (;;) {
    const match = CODE_SPANS.exec(rest);
    parts.push({ text: rest.slice(0, match?.index), isCode: false });
    if (!match) return parts;
    parts.push({ text: match[0], isCode: true });
    rest = rest.slice(match.index + match[0].length);
  }
}
