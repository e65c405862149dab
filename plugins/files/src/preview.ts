import {
  AppError,
  type DocumentTexts,
  decodeText,
  isTextType,
  type OpenFile,
  type OpenWorkspaceFile,
} from "@parley/core";
import { isDocumentType } from "./store/content-type.ts";
import { readImageSize } from "./store/image-size.ts";

const MAX_READ_BYTES = 10 * 1024 * 1024;
const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024;

/** A file with what its preview needs. */
export interface PreviewedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly url: string;
  /** Returns the first bytes, `most` of them at most. */
  head(most: number): Promise<Uint8Array>;
}

export interface PreviewOptions {
  readonly maxChars: number;
  readonly documents: DocumentTexts | undefined;
  readonly signal: AbortSignal;
}

export function toPreviewedFile(file: OpenFile): PreviewedFile {
  const { name, mimeType, size, url } = file;
  return { name, mimeType, size, url, head: (most) => readHead(file, most) };
}

export function toPreviewedWorkspaceFile({ item, url, head }: OpenWorkspaceFile): PreviewedFile {
  return { name: item.name, mimeType: item.mime_type, size: item.size, url, head };
}

export async function createPreview(file: PreviewedFile, options: PreviewOptions): Promise<object> {
  const { name: filename, mimeType: mime_type, size, url } = file;
  const shared = { filename, mime_type, size, url, download_url: `${url}?download=true` };
  if (isTextType(mime_type)) {
    const text = await readText(file, options.maxChars);
    return text ? { type: "text", ...shared, ...text } : { type: "unsupported", ...shared };
  }
  const kind = mime_type.split("/", 1)[0];
  if (kind === "image") return { type: "image", ...shared, ...readImageSize(await file.head(256 * 1024)) };
  if (mime_type === "application/pdf") return { type: "pdf", ...shared, is_blob: true };
  if (kind === "audio" || kind === "video") return { type: kind, ...shared, is_blob: true };
  const text = isDocumentType(mime_type) ? await readDocumentText(file, options) : undefined;
  if (text !== undefined) return { type: "document", ...shared, ...truncate(text, options.maxChars) };
  return { type: "unsupported", ...shared };
}

/** Reads the text of a document; undefined when the document cannot be read. */
async function readDocumentText(
  file: PreviewedFile,
  { documents, signal }: PreviewOptions,
): Promise<string | undefined> {
  if (!documents || file.size > MAX_DOCUMENT_BYTES) return undefined;
  try {
    return await documents.textOf({ name: file.name, bytes: await file.head(file.size) }, signal);
  } catch (error) {
    // The document is damaged, encrypted, or has no text.
    if (AppError.is(error) && ["bad_request", "too_large"].includes(error.code)) return undefined;
    throw error;
  }
}

/** Returns the beginning of a text file; null for other types. */
export async function createTextPreview(file: PreviewedFile, maxChars: number): Promise<string | null> {
  return isTextType(file.mimeType) ? ((await readText(file, maxChars))?.content ?? null) : null;
}

/** Reads a text; undefined when its encoding is not known. */
async function readText(file: PreviewedFile, maxChars: number) {
  const bytes = await file.head(MAX_READ_BYTES);
  const isCut = file.size > bytes.length;
  const text = decodeText(bytes, { isCut });
  return text === undefined ? undefined : truncate(text, maxChars, isCut);
}

function truncate(text: string, maxChars: number, isCut = false) {
  const content = text.slice(0, maxChars).toWellFormed();
  const truncated = isCut || content.length < text.length;
  return { content, extracted_length: content.length, original_length: text.length, truncated };
}

async function readHead(file: OpenFile, most: number): Promise<Uint8Array> {
  if (file.size === 0) return new Uint8Array();
  return Buffer.concat(await file.stream({ start: 0, end: Math.min(file.size, most) - 1 }).toArray());
}
