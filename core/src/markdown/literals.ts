import type { MarkdownIt, StateInline } from "markdown-it";

/** The rest of an address after `http` or `https`, up to Markdown syntax such as `**` or `](`. */
const ADDRESS = /:\/\/(?:(?!\*\*|~~|\]\()[^\s<>`"“”\u3000-\u303f\uff00-\uff0f\uff1a-\uff1f…])+/y;
const AFTER_ADDRESS = new Set("*_~.,:;!?'\")]}");
/** Formulas and text emoticons, whose backslashes and underscores are not Markdown syntax. */
const FORMULAS: readonly RegExp[] = [
  /\\\((?:[^\\\n]|\\(?!\))[^\n]){1,1000}?\\\)/y,
  /\\\[(?:[^\\]|\\(?!\])[\s\S]){1,1000}?\\\]/y,
  /\$\$[^$]+\$\$/y,
  /\$(?![\s$])[^$\n]*[^\s$\\]\$(?![\d$])/y,
  /\\_\(ツ\)_\//y,
];
/** Names of Python and JavaScript that look like bold words. */
const DUNDER =
  /__(?:all|annotations|builtins|call|class|contains|del|dict|dirname|doc|enter|eq|exit|file|filename|future|getattr|getitem|hash|init|iter|len|main|module|name|new|next|path|proto|pycache|repr|setattr|setitem|slots|str|typename|version)__(?!\w)/y;
const LINE_BREAK = /<br[ \t]*\/?>/iy;

/** Adds rules to a parser for text that only looks like Markdown syntax, and for `<br>`. */
export function addLiterals(markdown: MarkdownIt): void {
  const { ruler } = markdown.inline;
  ruler.before("escape", "formula", readFormula);
  ruler.before("emphasis", "address", readAddress);
  ruler.before("emphasis", "dunder", readDunder);
  ruler.before("link", "bracket", readBracket);
  ruler.before("autolink", "line_break", readLineBreak);
}

function readFormula(state: StateInline, silent: boolean): boolean {
  const sign = state.src[state.pos];
  if (sign !== "\\" && sign !== "$") return false;
  const found = FORMULAS.map((formula) => findAt(formula, state)).find((text) => text !== "");
  return found !== undefined && pushText(state, found, silent);
}

function readAddress(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== ":" || !/(?:^|[^a-z0-9])https?$/i.test(src.slice(Math.max(0, pos - 6), pos))) return false;
  const found = findAt(ADDRESS, state);
  let end = found.length;
  while (AFTER_ADDRESS.has(found[end - 1] ?? "")) end -= 1;
  return end > "://".length && pushText(state, found.slice(0, end), silent);
}

function readDunder(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== "_" || /\w/.test(src[pos - 1] ?? "")) return false;
  const found = findAt(DUNDER, state);
  return found !== "" && pushText(state, found, silent);
}

/** Last offset at which a link can end, for each inline parse. */
const lastLinks = new WeakMap<StateInline, number>();

/** Reads a bracket that cannot begin a link as text. Without this the parser would scan from each bracket to the end of the text. */
function readBracket(state: StateInline, silent: boolean): boolean {
  const sign = /^!?\[/.exec(state.src.slice(state.pos, state.pos + 2))?.[0];
  if (sign === undefined) return false;
  const last = lastLinks.get(state) ?? state.src.lastIndexOf("](");
  lastLinks.set(state, last);
  return last < state.pos && pushText(state, sign, silent);
}

/** Reads `<br>` as a line break: models write it because Markdown has none in table cells. */
function readLineBreak(state: StateInline, silent: boolean): boolean {
  const found = state.src[state.pos] === "<" ? findAt(LINE_BREAK, state) : "";
  if (found === "") return false;
  if (!silent) state.push("hardbreak", "br", 0);
  state.pos += found.length;
  return true;
}

function findAt(pattern: RegExp, { src, pos, posMax }: StateInline): string {
  pattern.lastIndex = pos;
  const found = pattern.exec(src)?.[0] ?? "";
  return pos + found.length > posMax ? "" : found;
}

function pushText(state: StateInline, text: string, silent: boolean): true {
  if (!silent) state.pending += text;
  state.pos += text.length;
  return true;
}
