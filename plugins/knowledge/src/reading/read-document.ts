import { AppError, type LocalizedError, toLocalizedError } from "@parley/core";
import { type ArchiveEntry, isArchive, openArchive } from "@parley/core/archive";
import { knowledgeTexts } from "../texts.ts";
import { readEpub } from "./epub-text.ts";
import { htmlToText } from "./html-text.ts";
import { docxMarginTexts, openDocumentToText, slidesToText } from "./office-text.ts";
import { readPdf } from "./pdf-text.ts";
import { decodePlainText, parseRows, tableToText } from "./plain-text.ts";
import { rtfToText } from "./rtf-text.ts";

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
  /** Numbers of pages without text, whose text can only be in pictures. */
  readonly picturePages?: readonly number[];
}

export interface UnreadableFile {
  readonly name: string;
  readonly failure: LocalizedError;
}

export interface ReadOutcome {
  readonly texts: readonly ReadText[];
  /** Unreadable files of an archive, and pages of a file that are only pictures, with the reason. */
  readonly failed: readonly UnreadableFile[];
}

const TEXT_FILES = /\.(txt|text|md|markdown|mdx|rst|log|json|jsonl|ya?ml|toml|ini|xml|tex|srt|vtt)$/i;
const READABLE_FILES =
  /\.(txt|text|md|markdown|mdx|rst|log|json|jsonl|ya?ml|toml|ini|xml|tex|srt|vtt|html?|xhtml|pdf|rtf|docx|xlsx|pptx|od[tsp]|epub|csv|tsv)$/i;
/** Maximum count of pages that a message names. */
const MAX_NAMED = 20;
const MAX_ENTRY = 50 * 1024 * 1024;

/** Extracts the text of a file, or of an archive those of all readable files in it. Runs in a thread that may be terminated. */
export async function readDocument(file: SourceFile): Promise<ReadOutcome> {
  const entries = isArchive(file.bytes) ? openEntries(file) : undefined;
  if (entries && !detectOfficeKind(entries)) return readArchive(file.name, entries);
  const text = await readFileText(file, entries);
  if (text.text.trim() === "") throw knowledgeTexts.error("bad_request", "no_text");
  const { picturePages = [] } = text;
  if (picturePages.length === 0) return { texts: [text], failed: [] };
  const error = knowledgeTexts.error("bad_request", "picture_pages", {
    pages: picturePages.slice(0, MAX_NAMED).join(", "),
  });
  return { texts: [text], failed: [{ name: text.name, failure: toLocalizedError(error) }] };
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
      const read = await readDocument({ name: inside, bytes: await entry.bytes(MAX_ENTRY) });
      texts.push(...read.texts);
      failed.push(...read.failed);
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
  if (entries && kind === "docx") return { name, title, text: await docxToText(bytes, entries) };
  if (kind === "xlsx") return { name, title, text: await xlsxToText(bytes) };
  if (entries && kind === "pptx") return { name, title, text: await slidesToText(entries) };
  if (entries && kind === "opendocument") return { name, title, text: await openDocumentToText(entries) };
  if (entries && kind === "epub") return { name, ...(await readEpub(entries, title)) };
  const magic = String.fromCharCode(...bytes.subarray(0, 5));
  if (magic === "%PDF-") return { name, title, ...(await readPdf(bytes)) };
  if (magic === "{\\rtf") return { name, title, text: rtfToText(bytes) };
  // The container of Word, Excel and PowerPoint before 2007, and of encrypted files since then.
  if (magic.startsWith("\xd0\xcf\x11\xe0")) throw knowledgeTexts.error("bad_request", "old_office");
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

/** Returns the text of a document, after its headers and before its comments, which the converter leaves out. */
async function docxToText(bytes: Uint8Array, entries: ReadonlyMap<string, ArchiveEntry>): Promise<string> {
  const { default: mammoth } = await import("mammoth");
  // Pictures are left out, because their bytes would become text.
  const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage });
  const { headers, comments } = await docxMarginTexts(entries);
  return [headers, htmlToText(value).text, comments].filter(Boolean).join("\n\n");
}

async function xlsxToText(bytes: Uint8Array): Promise<string> {
  const { default: readXlsx } = await import("read-excel-file/node");
  const sheets = await readXlsx(Buffer.from(bytes));
  return sheets.map(({ sheet, data }) => `## ${sheet}\n\n${tableToText(data)}`).join("\n\n");
}
