import type { ArchiveEntry } from "@parley/core/archive";
import { Parser } from "htmlparser2";
import { normalizeWhitespace } from "./html-text.ts";
import { decodePlainText } from "./plain-text.ts";

const MAX_ENTRY = 50 * 1024 * 1024;

type Entries = ReadonlyMap<string, ArchiveEntry>;

/** Returns the texts of a presentation (pptx), slide by slide. */
export async function slidesToText(entries: Entries): Promise<string> {
  const slides = [...entries.keys()]
    .map((name) => /^ppt\/slides\/slide(\d+)\.xml$/.exec(name))
    .filter((found) => found !== null)
    .sort((a, b) => Number(a[1]) - Number(b[1]));
  const texts: string[] = [];
  for (const [at, [name]] of slides.entries()) {
    texts.push(`## ${at + 1}\n\n${await xmlToText(entries, name, { inside: /^a:t$/, breaks: /^a:(p|br)$/ })}`);
  }
  return normalizeWhitespace(texts.join("\n\n"));
}

/** Returns the text of an OpenDocument file (odt, ods, odp). */
export async function openDocumentToText(entries: Entries): Promise<string> {
  const breaks = /^(text:(p|h|line-break)|table:table-row|draw:page)$/;
  return normalizeWhitespace(
    await xmlToText(entries, "content.xml", {
      inside: /^text:(p|h)$/,
      breaks,
      spaces: /^(text:(s|tab)|table:table-cell)$/,
    }),
  );
}

/** Returns the distinct headers and footers of a document, and its comments under a heading. */
export async function docxMarginTexts(
  entries: Entries,
): Promise<{ readonly headers: string; readonly comments: string }> {
  const read = async (name: string) =>
    normalizeWhitespace(await xmlToText(entries, name, { inside: /^w:t$/, breaks: /^w:(p|br)$/, spaces: /^w:tab$/ }));
  const names = [...entries.keys()].filter((name) => /^word\/(header|footer)\d*\.xml$/.test(name)).sort();
  const headers = new Set<string>();
  for (const name of names) headers.add(await read(name));
  const comments = entries.has("word/comments.xml") ? await read("word/comments.xml") : "";
  return {
    headers: [...headers].filter(Boolean).join("\n\n"),
    comments: comments === "" ? "" : `## Comments\n\n${comments}`,
  };
}

interface XmlTextOptions {
  /** Matches the elements whose text is extracted. */
  readonly inside: RegExp;
  /** Elements that end a line. */
  readonly breaks: RegExp;
  readonly spaces?: RegExp;
}

async function xmlToText(entries: Entries, name: string, { inside, breaks, spaces }: XmlTextOptions): Promise<string> {
  const bytes = (await entries.get(name)?.bytes(MAX_ENTRY)) ?? new Uint8Array();
  const texts: string[] = [];
  let depth = 0;
  const parser = new Parser(
    {
      onopentagname: (tag) => {
        if (inside.test(tag)) depth += 1;
      },
      ontext: (text) => {
        if (depth > 0) texts.push(text);
      },
      onclosetag: (tag) => {
        if (inside.test(tag)) depth -= 1;
        if (breaks.test(tag)) texts.push("\n");
        else if (spaces?.test(tag)) texts.push(" ");
      },
    },
    { xmlMode: true },
  );
  parser.write(decodePlainText(bytes));
  parser.end();
  return texts.join("");
}
