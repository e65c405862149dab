import { Parser } from "htmlparser2";
import { createTable, type OpenTable, tableToMarkdown } from "./html-table.ts";

const SKIPPED_TAGS = new Set(
  "script style noscript template svg iframe object nav footer button select textarea".split(" "),
);
const BLOCK_TAGS = new Set(
  "p div section article main header ul ol dl dt dd blockquote figure figcaption form fieldset br hr pre address aside".split(
    " ",
  ),
);

/** Converts a page to Markdown with headings, lists, tables and paragraphs. No script is run, and nothing is fetched. */
export function htmlToText(html: string): { readonly title: string; readonly text: string } {
  let title = "";
  let skippedDepth = 0;
  let isTitle = false;
  let preDepth = 0;
  const output = createOutput();
  const parser = new Parser(
    {
      onopentagname(name) {
        if (SKIPPED_TAGS.has(name)) skippedDepth += 1;
        if (name === "title") isTitle = true;
        if (name === "pre") preDepth += 1;
        if (skippedDepth > 0 || output.open(name)) return;
        const [, level] = /^h([1-6])$/.exec(name) ?? [];
        if (level) output.add(`\n\n${"#".repeat(Number(level))} `);
        else if (name === "li") output.add("\n- ");
        else if (BLOCK_TAGS.has(name)) output.add(name === "br" ? "\n" : "\n\n");
      },
      ontext(data) {
        if (isTitle) title += data;
        else if (skippedDepth === 0) output.add(preDepth > 0 ? data : data.replaceAll(/\s+/g, " "));
      },
      onclosetag(name) {
        if (SKIPPED_TAGS.has(name)) skippedDepth = Math.max(0, skippedDepth - 1);
        if (name === "title") isTitle = false;
        if (name === "pre") preDepth = Math.max(0, preDepth - 1);
        if (skippedDepth > 0 || output.close(name)) return;
        if (/^h[1-6]$/.test(name) || BLOCK_TAGS.has(name)) output.add("\n");
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { title: title.replaceAll(/\s+/g, " ").trim(), text: normalizeWhitespace(output.end()) };
}

/** Creates the text that is written, with the tables that are open in it. */
function createOutput() {
  let text = "";
  const tables: OpenTable[] = [];
  const add = (more: string) => {
    const row = tables.at(-1)?.rows.at(-1);
    // Text of a table outside its cells, such as white space and its caption, stands before it.
    if (row && row.length > 0) row[row.length - 1] += more;
    else text += more;
  };
  const endTable = () => {
    const table = tables.pop();
    const outer = tables.at(-1);
    if (outer) outer.isLayout = true;
    if (table) add(`\n\n${tableToMarkdown(table)}\n\n`);
  };
  return {
    add,
    /** Returns true for a tag of a table, which it opens. */
    open(name: string): boolean {
      const table = tables.at(-1);
      if (name === "table") tables.push(createTable());
      else if (!table) return false;
      else if (name === "tr") table.rows.push([]);
      else if (name === "td" || name === "th") {
        if (table.rows.length === 0) table.rows.push([]);
        table.rows.at(-1)?.push("");
      } else return false;
      return true;
    },
    /** Returns true for a tag of a table, which it closes. */
    close(name: string): boolean {
      if (name === "table") endTable();
      return tables.length > 0 && (name === "tr" || name === "td" || name === "th");
    },
    /** Closes what is open, and returns the text. */
    end(): string {
      while (tables.length > 0) endTable();
      return text;
    },
  };
}

/** Removes spaces at both ends of lines, and repeated empty lines. */
export function normalizeWhitespace(text: string): string {
  return text
    .replaceAll(/[ \t\u00a0]+$/gm, "")
    .replaceAll(/^ +/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
