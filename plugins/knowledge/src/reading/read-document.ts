import { AppError, type LocalizedError, toLocalizedError } from "@parley/core";
import { type ArchiveEntry, isArchive, openArchive } from "@parley/core/archive";
import { knowledgeTexts } from "../texts.ts";
import { htmlToText, normalizeWhitespace } from "./html-text.ts";
import { openDocumentToText, slidesToText } from "./office-text.ts";
import { decodePlainText, parseRows, tableToText } from "./plain-text.ts";

export interface SourceFile {
  /** Name with its folders, if any. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Charset that was declared with the document. */
  readonly charset?: string | undefined;
}

export interface ReadText {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

export interface UnreadableFile {
  readonly name: string;
  readonly failure: LocalizedError;
}

export interface ReadOutcome {
  readonly texts: readonly ReadText[];
  /** Files of an archive that could not be read, with the reason. */
  readonly failed: readonly UnreadableFile[];
}

const TEXT_FILES = /\.(txt|text|md|markdown|mdx|rst|log|json|jsonl|ya?ml|toml|ini|xml|tex|srt|vtt)$/i;
const READABLE_FILES =
  /\.(txt|text|md|markdown|mdx|rst|log|json|jsonl|ya?ml|toml|ini|xml|tex|srt|vtt|html?|xhtml|pdf|docx|xlsx|pptx|od[tsp]|epub|csv|tsv)$/i;
const MAX_ENTRY = 50 * 1024 * 1024;

/** Extracts the text of a file, or of an archive those of all readable files in it. Runs in a thread that may be terminated. */
export async function readDocument(file: SourceFile): Promise<ReadOutcome> {
  const entries = isArchive(file.bytes) ? openEntries(file) : undefined;
  if (entries && !detectOfficeKind(entries)) return readArchive(file.name, entries);
  const text = await readFileText(file, entries);
  if (text.text.trim() === "") throw knowledgeTexts.error("bad_request", "no_text");
  return { texts: [text], failed: [] };
}

function openEntries({ bytes }: SourceFile): ReadonlyMap<string, ArchiveEntry> {
  return new Map(openArchive(bytes).map((entry) => [entry.name, entry]));
}

type OfficeKind = "docx" | "xlsx" | "pptx" | "opendocument" | "epub";

function detectOfficeKind(entries: ReadonlyMap<string, ArchiveEntry>): OfficeKind | undefined {
  if (entries.has("word/document.xml")) return "docx";
  if (entries.has("xl/workbook.xml")) return "xlsx";
  if (entries.has("ppt/presentation.xml")) return "pptx";
  if (entries.has("content.xml") && entries.has("META-INF/manifest.xml")) return "opendocument";
  return entries.has("META-INF/container.xml") ? "epub" : undefined;
}

async function readArchive(name: string, entries: ReadonlyMap<string, ArchiveEntry>): Promise<ReadOutcome> {
  const texts: ReadText[] = [];
  const failed: UnreadableFile[] = [];
  for (const entry of entries.values()) {
    const inside = `${name}/${entry.name}`;
    // Hidden files, files of the system, and files without text such as pictures.
    if (/(^|\/)(\.|__MACOSX\/)/.test(entry.name) || !READABLE_FILES.test(entry.name)) continue;
    try {
      texts.push(...(await readDocument({ name: inside, bytes: await entry.bytes(MAX_ENTRY) })).texts);
    } catch (error) {
      failed.push({ name: entry.name, failure: toFailure(error) });
    }
  }
  if (texts.length === 0 && failed.length === 0) throw knowledgeTexts.error("bad_request", "no_text_in_archive");
  return { texts, failed };
}

function toFailure(error: unknown): LocalizedError {
  return AppError.is(error) ? toLocalizedError(error) : { code: "bad_request", error: (error as Error).message };
}

async function readFileText(
  { name, bytes, charset }: SourceFile,
  entries?: ReadonlyMap<string, ArchiveEntry>,
): Promise<ReadText> {
  const title = toTitle(name);
  const kind = entries && detectOfficeKind(entries);
  if (kind === "docx") return { name, title, text: await docxToText(bytes) };
  if (kind === "xlsx") return { name, title, text: await xlsxToText(bytes) };
  if (entries && kind === "pptx") return { name, title, text: await slidesToText(entries) };
  if (entries && kind === "opendocument") return { name, title, text: await openDocumentToText(entries) };
  if (entries && kind === "epub") return { name, ...(await epubToText(entries, title)) };
  if (String.fromCharCode(...bytes.subarray(0, 5)) === "%PDF-") return { name, title, text: await pdfToText(bytes) };
  const text = decodePlainText(bytes, charset);
  if (/\.(csv|tsv)$/i.test(name))
    return { name, title, text: tableToText(parseRows(text, detectSeparator(name, text))) };
  if (/\.x?html?$/i.test(name) || (!TEXT_FILES.test(name) && /^\s*<(!doctype html|html)\b/i.test(text))) {
    const page = htmlToText(text);
    return { name, title: page.title || title, text: page.text };
  }
  return { name, title, text };
}

function toTitle(name: string): string {
  const last = name.split("/").at(-1) ?? name;
  return last.replace(/\.[^.]{1,5}$/, "") || last;
}

function detectSeparator(name: string, text: string): string {
  if (/\.tsv$/i.test(name)) return "\t";
  const line = text.slice(0, text.indexOf("\n") >>> 0);
  return line.split(";").length > line.split(",").length ? ";" : ",";
}

async function docxToText(bytes: Uint8Array): Promise<string> {
  const { default: mammoth } = await import("mammoth");
  // Pictures are left out, because their bytes would become text.
  const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage });
  return htmlToText(value).text;
}

async function xlsxToText(bytes: Uint8Array): Promise<string> {
  const { default: readXlsx } = await import("read-excel-file/node");
  const sheets = await readXlsx(Buffer.from(bytes));
  return sheets.map(({ sheet, data }) => `## ${sheet}\n\n${tableToText(data)}`).join("\n\n");
}

async function epubToText(
  entries: ReadonlyMap<string, ArchiveEntry>,
  fallback: string,
): Promise<{ readonly title: string; readonly text: string }> {
  const read = async (name: string) => decodePlainText((await entries.get(name)?.bytes(MAX_ENTRY)) ?? new Uint8Array());
  const [, opf = ""] = /full-path="([^"]+)"/.exec(await read("META-INF/container.xml")) ?? [];
  const book = await read(opf);
  const items = new Map(
    [...book.matchAll(/<item\b[^>]*>/g)].map(([item]) => [readAttribute(item, "id"), readAttribute(item, "href")]),
  );
  const folder = opf.includes("/") ? opf.slice(0, opf.lastIndexOf("/") + 1) : "";
  const parts: string[] = [];
  for (const [reference] of book.matchAll(/<itemref\b[^>]*>/g)) {
    const href = items.get(readAttribute(reference, "idref"));
    if (href) parts.push(htmlToText(await read(`${folder}${decodeURIComponent(href)}`)).text);
  }
  const [, title = ""] = /<dc:title[^>]*>([^<]+)</.exec(book) ?? [];
  return { title: htmlToText(title).text || fallback, text: normalizeWhitespace(parts.join("\n\n")) };
}

function readAttribute(tag: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
}

async function pdfToText(bytes: Uint8Array): Promise<string> {
  const { extractText, getDocumentProxy } = await import("unpdf");
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    const { text } = await extractText(pdf, { mergePages: false });
    const pages = text.map((page, at) => (page.trim() === "" ? "" : `## ${at + 1}\n\n${page.trim()}`)).filter(Boolean);
    if (pages.length === 0) throw knowledgeTexts.error("bad_request", "no_text_in_pdf");
    return normalizeWhitespace(pages.join("\n\n"));
  } catch (error) {
    if (AppError.is(error)) throw error;
    const isLocked = (error as Error).name === "PasswordException";
    throw knowledgeTexts.error("bad_request", isLocked ? "encrypted" : "pdf_damaged");
  }
}
