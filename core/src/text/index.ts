export { findChineseWords, toChineseWords } from "./bilingual-words.ts";
export { dateTerms } from "./dates.ts";
export { cosine, LOCAL_DIMENSIONS, localVector, vectorOf } from "./local-vector.ts";
export { type Passage, passagesOf } from "./passages.ts";
export { synonymsOf } from "./synonyms.ts";
export { type QueryTerm, queryTerms, type Term, termsOf } from "./terms.ts";
