const LEADING_FLAGS = /^\(\?(?:is?|si?)\)/;

/**
 * A regular expression as rules mean it: case-insensitive, the dot matches line breaks; by code points
 * where the pattern allows. `(?i)`, `(?s)` and `(?is)` in front are dropped. Throws the parser's `SyntaxError`.
 */
export function regexOf(pattern: string): RegExp {
  const source = pattern.replace(LEADING_FLAGS, "");
  try {
    return new RegExp(source, "gisu");
  } catch {
    // Older patterns use escapes that the strict syntax rejects, so only the loose one must accept them.
    return new RegExp(source, "gis");
  }
}
