import { Parser } from "htmlparser2";

const SKIPPED_TAGS = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
  "object",
  "nav",
  "footer",
  "form",
]);
const BLOCK_TAGS = new Set(
  "p div section article main header table tr ul ol dl dt dd blockquote figure figcaption br hr pre address aside".split(
    " ",
  ),
);

/** Converts a page to Markdown with headings, lists and paragraphs. No script is run, and nothing is fetched. */
export function htmlToText(html: string): { readonly title: string; readonly text: string } {
  let title = "";
  let text = "";
  let skippedDepth = 0;
  let isTitle = false;
  let preDepth = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (SKIPPED_TAGS.has(name)) skippedDepth += 1;
        if (name === "title") isTitle = true;
        if (name === "pre") preDepth += 1;
        if (skippedDepth > 0) return;
        const [, level] = /^h([1-6])$/.exec(name) ?? [];
        if (level) text += `\n\n${"#".repeat(Number(level))} `;
        else if (name === "li") text += "\n- ";
        else if (name === "td" || name === "th") text += " ";
        else if (BLOCK_TAGS.has(name)) text += name === "br" || name === "tr" ? "\n" : "\n\n";
      },
      ontext(data) {
        if (isTitle) title += data;
        else if (skippedDepth === 0) text += preDepth > 0 ? data : data.replaceAll(/\s+/g, " ");
      },
      onclosetag(name) {
        if (SKIPPED_TAGS.has(name)) skippedDepth = Math.max(0, skippedDepth - 1);
        if (name === "title") isTitle = false;
        if (name === "pre") preDepth = Math.max(0, preDepth - 1);
        if (skippedDepth === 0 && (/^h[1-6]$/.test(name) || BLOCK_TAGS.has(name))) text += "\n";
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { title: title.replaceAll(/\s+/g, " ").trim(), text: normalizeWhitespace(text) };
}

/** Removes spaces at both ends of lines, and repeated empty lines. */
export function normalizeWhitespace(text: string): string {
  return text
    .replaceAll(/[ \t\u00a0]+$/gm, "")
    .replaceAll(/^ +/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
