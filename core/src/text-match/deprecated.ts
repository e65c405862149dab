// As `deprecated.ts` of core: these names go with the next contract.
export { /** @deprecated Use `describeRegexError`. */ describeRegexError as regexFault } from "./regex-error.ts";
export { /** @deprecated Use `compileRegex`. */ compileRegex as regexOf } from "./regex-pattern.ts";
