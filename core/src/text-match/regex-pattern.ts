const LEADING_FLAGS = /^\(\?(?:is?|si?)\)/;

/**
 * Compiles a rule's regular expression: case-insensitive, the dot matches line breaks; by code points where the
 * pattern allows. A leading `(?i)`, `(?s)` or `(?is)` is dropped. Throws the parser's `SyntaxError`.
 */
export function compileRegex(pattern: string): RegExp {
  const source = pattern.replace(LEADING_FLAGS, "");
  try {
    return new RegExp(source, "gisu");
  } catch {
    // Older patterns use escapes that the strict syntax rejects, so only the loose one must accept them.
    return new RegExp(source, "gis");
  }
}
