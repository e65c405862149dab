// Like `deprecated.ts` of core: these names are dropped with the next contract version.
export { /** @deprecated Use `describeRegexError`. */ describeRegexError as regexFault } from "./regex-error.ts";
export { /** @deprecated Use `compileRegex`. */ compileRegex as regexOf } from "./regex-pattern.ts";
