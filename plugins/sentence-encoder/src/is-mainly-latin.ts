/** Returns true when at least half of a text's letters are Latin. The model knows English; of other scripts it sees only noise. */
export function isMainlyLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin > 0 && latin * 2 >= letters;
}
