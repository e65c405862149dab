const BEGINS_WITH_A_WORD = /^\p{Ll}(?=[\p{L}-]*(?:[\s,]|$))/u;

/** What the service says of something, where it stands by itself. One that begins with a name of a field, or in quotes, stays as it is written. */
export function asSentence(said: string): string {
  return said.replace(BEGINS_WITH_A_WORD, (letter) => letter.toUpperCase());
}
