const LEADING_FLAGS = /^\(\?(?:is?|si?)\)/;

/**
 * Compiles a rule's regular expression: global, case-insensitive, the dot matches line breaks; in Unicode mode where
 * the pattern is valid in it. A leading `(?i)`, `(?s)` or `(?is)` is dropped. Throws the parser's `SyntaxError`.
 */
export function compileRegex(pattern: string): RegExp {
  const source = pattern.replace(LEADING_FLAGS, "");
  try {
    return new RegExp(source, "gisu");
  } catch {
    // Unicode mode rejects needless escapes such as `\-`, which older patterns contain.
    return new RegExp(source, "gis");
  }
}
