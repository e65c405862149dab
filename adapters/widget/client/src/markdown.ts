import { element } from "./dom.ts";

const FENCE = /^ {0,3}(```|~~~)/;
const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/;
const ITEM = /^ {0,6}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;

/**
 * Renders the Markdown of an answer as elements: paragraphs, bold, italics, code, lists, quotes and links. Anything
 * else stays text, and HTML is shown as it was written.
 */
export function renderMarkdown(text: string): DocumentFragment {
  const target = document.createDocumentFragment();
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  while (lines.length > 0) {
    const line = lines[0] ?? "";
    if (line.trim() === "") lines.shift();
    else if (FENCE.test(line)) target.append(takeCode(lines));
    else if (ITEM.test(line)) target.append(takeList(lines));
    else if (QUOTE.test(line)) target.append(takeQuote(lines));
    else if (HEADING.test(line)) target.append(takeHeading(lines));
    else target.append(takeParagraph(lines));
  }
  return target;
}

function takeCode(lines: string[]): HTMLElement {
  const fence = FENCE.exec(lines.shift() ?? "")?.[1] ?? "```";
  const code: string[] = [];
  while (lines.length > 0) {
    const line = lines.shift() ?? "";
    if (line.trim().startsWith(fence)) break;
    code.push(line);
  }
  return element("pre", { tabindex: "0" }, element("code", {}, code.join("\n")));
}

function takeList(lines: string[]): HTMLElement {
  const first = ITEM.exec(lines[0] ?? "");
  const number = first?.[1];
  const list = number === undefined ? element("ul") : element("ol", { start: String(Number(number)) });
  for (let item = first; item; item = ITEM.exec(lines[0] ?? "")) {
    lines.shift();
    const entry = element("li", {}, renderInline(item[2] ?? ""));
    while (/^\s{2,}\S/.test(lines[0] ?? "") && !ITEM.test(lines[0] ?? ""))
      entry.append(element("br"), renderInline((lines.shift() ?? "").trim()));
    list.append(entry);
  }
  return list;
}

function takeQuote(lines: string[]): HTMLElement {
  const quoted: string[] = [];
  for (let line = QUOTE.exec(lines[0] ?? ""); line; line = QUOTE.exec(lines[0] ?? "")) {
    lines.shift();
    quoted.push(line[1] ?? "");
  }
  return element("blockquote", {}, renderMarkdown(quoted.join("\n")));
}

function takeHeading(lines: string[]): HTMLElement {
  const [, title = ""] = HEADING.exec(lines.shift() ?? "") ?? [];
  return element("p", {}, element("strong", {}, renderInline(title)));
}

function takeParagraph(lines: string[]): HTMLElement {
  const paragraph = element("p");
  do {
    if (paragraph.hasChildNodes()) paragraph.append(element("br"));
    paragraph.append(renderInline(lines.shift() ?? ""));
  } while (lines.length > 0 && ![/^\s*$/, FENCE, ITEM, QUOTE, HEADING].some((one) => one.test(lines[0] ?? "")));
  return paragraph;
}

type Inline = readonly [pattern: RegExp, render: (match: RegExpExecArray) => Node];

const INLINE: readonly Inline[] = [
  [/`([^`]+)`/, ([, code = ""]) => element("code", {}, code)],
  [
    /\[([^\]]+)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)/,
    ([whole, label = "", url = ""]) => toLink(url, label) ?? document.createTextNode(whole),
  ],
  [
    /\*\*(?=\S)(.+?)(?<=\S)\*\*|__(?=\S)(.+?)(?<=\S)__/,
    ([, a, b]) => element("strong", {}, renderInline(a ?? b ?? "")),
  ],
  [
    /\*(?=\S)([^*]+?)(?<=\S)\*|(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)/,
    ([, a, b]) => element("em", {}, renderInline(a ?? b ?? "")),
  ],
  [/~~(?=\S)(.+?)(?<=\S)~~/, ([, text = ""]) => element("del", {}, renderInline(text))],
  [
    /https?:\/\/[^\s<>"'）】]+[^\s<>"'.,;:!?)\]，。；：！？）】]/,
    ([url]) => toLink(url, url) ?? document.createTextNode(url),
  ],
];

function renderInline(text: string): DocumentFragment {
  const target = document.createDocumentFragment();
  let rest = text;
  while (rest !== "") {
    const found = findFirst(rest);
    if (!found) break;
    const { match, render } = found;
    target.append(rest.slice(0, match.index), render(match));
    rest = rest.slice(match.index + match[0].length);
  }
  target.append(rest);
  return target;
}

function findFirst(text: string): { readonly match: RegExpExecArray; readonly render: Inline[1] } | undefined {
  let first: { readonly match: RegExpExecArray; readonly render: Inline[1] } | undefined;
  for (const [pattern, render] of INLINE) {
    const match = pattern.exec(text);
    if (match && (!first || match.index < first.match.index)) first = { match, render };
  }
  return first;
}

/** Returns a link to a website or a mail address; undefined for any other address, such as a script. */
export function toLink(url: string, label: string): HTMLAnchorElement | undefined {
  if (!/^(https?:\/\/|mailto:)/i.test(url)) return undefined;
  return element("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, label);
}
