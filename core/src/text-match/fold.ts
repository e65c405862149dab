/** A text in the form in which keywords are compared, with the mapping to the original text. */
export interface Folded {
  readonly text: string;
  /** Index in the original text for each index of the folded one (its length included); undefined when they are equal. */
  readonly origin: readonly number[] | undefined;
}

/** Folds a text to lower case without a language: both sigmas are one letter, `ß` is not `ss`, full-width letters differ from narrow ones. */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

/** Folds a text like `foldText`, with the mapping back: a folded text can be longer (`İ` becomes two characters). */
export function fold(text: string): Folded {
  const folded = foldText(text);
  if (folded.length === text.length) return { text: folded, origin: undefined };
  const origin: number[] = [];
  let index = 0;
  let whole = "";
  for (const character of text) {
    const part = foldText(character);
    whole += part;
    for (let unit = 0; unit < part.length; unit += 1) origin.push(index);
    index += character.length;
  }
  origin.push(index);
  return { text: whole, origin };
}
