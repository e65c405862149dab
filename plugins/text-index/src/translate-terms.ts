import { findChineseWords, type QueryTerm, termsOf, toChineseWords } from "@parley/core/text";

/** Terms of the other language that stand for a term of the question. */
export interface TranslatedTerm {
  /** Index of the term of the question. */
  readonly concept: number;
  readonly terms: readonly string[];
}

/** Translates the everyday words of a question, English to Chinese and Chinese to English. */
export function translateTerms(question: string, asked: readonly QueryTerm[]): readonly TranslatedTerm[] {
  const places = new Map(asked.map(({ term }, concept) => [term, concept]));
  const toChinese = asked.map(({ term }, concept) => ({
    concept,
    terms: [...toChineseWords(term)].flatMap(toPairs),
  }));
  const toEnglish = [...findChineseWords(question)].flatMap(([word, stems]) => {
    const concept = toPairs(word)
      .map((pair) => places.get(pair))
      .find((place) => place !== undefined);
    return concept === undefined ? [] : [{ concept, terms: [...stems] }];
  });
  return [...toChinese, ...toEnglish].filter(({ terms }) => terms.length > 0);
}

/** Returns the pairs of characters by which a Chinese word is found; none for a single character, which is in too many words. */
function toPairs(word: string): readonly string[] {
  return termsOf(word)
    .map(({ term }) => term)
    .filter((term) => term.length > 1);
}
