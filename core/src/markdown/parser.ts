import { createRequire } from "node:module";
import type Library from "markdown-it";
import type { MarkdownIt, Token as MarkdownToken } from "markdown-it";
import { relaxFlanking } from "./flanking.ts";
import { addLiterals } from "./literals.ts";

export type Token = MarkdownToken;

const requireModule = createRequire(import.meta.url);
/** Nesting beyond which the parser would drop text. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){30}|^[ \t]{200}/m;
const MAX_NESTING = 400;

let parser: MarkdownIt | undefined;

/** Returns the tokens of a Markdown text; undefined when it is nested too deeply. */
export function tokenize(text: string): readonly Token[] | undefined {
  if (TOO_DEEP.test(text)) return undefined;
  parser ??= createParser();
  return parser.parse(text, {});
}

/** Returns the offsets at which the lines of a text begin. */
export function findLineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

/** Creates the parser. The library is loaded with the first formatted text, so that an idle service does not load it. */
function createParser(): MarkdownIt {
  const Markdown = requireModule("markdown-it") as typeof Library;
  const markdown = new Markdown({ html: false, linkify: false, breaks: true, maxNesting: MAX_NESTING });
  // A definition would disappear from the text, and links to it would break in all other parts.
  markdown.disable("reference");
  // Addresses stay as they were written.
  markdown.normalizeLink = (url) => url;
  markdown.normalizeLinkText = (url) => url;
  addLiterals(markdown);
  relaxFlanking(markdown);
  return markdown;
}
