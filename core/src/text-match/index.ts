// Pure and small, because threads that search texts load only this entry point.
export { type Automaton, type AutomatonTables, buildTables, createAutomaton } from "./automaton.ts";
export * from "./deprecated.ts";
export { type Folded, fold, foldText } from "./fold.ts";
export { createKeywords, type Keywords, type Range } from "./keywords.ts";
export { describeRegexError } from "./regex-error.ts";
export { compileRegex } from "./regex-pattern.ts";
export { isWholeWord } from "./whole-word.ts";
