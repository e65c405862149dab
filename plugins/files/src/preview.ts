import { isTextType, type OpenFile } from "@parley/core";
import { imageSize } from "./image-size.ts";

const MAX_READ = 10 * 1024 * 1024;

/** What a stored file looks like, in short (contract files §2). */
export async function previewOf(file: OpenFile, maxChars: number): Promise<object> {
  const { name: filename, mimeType: mime_type, size, url } = file;
  const shared = { filename, mime_type, size, url, download_url: `${url}?download=true` };
  if (isTextType(mime_type)) return { type: "text", ...shared, ...(await textOf(file, maxChars)) };
  const kind = mime_type.split("/", 1)[0];
  if (kind === "image") return { type: "image", ...shared, ...imageSize(await headOf(file, 256 * 1024)) };
  if (mime_type === "application/pdf") return { type: "pdf", ...shared, is_blob: true };
  if (kind === "audio" || kind === "video") return { type: kind, ...shared, is_blob: true };
  return { type: "unsupported", ...shared };
}

/** The beginning of a text; null for what is none. */
export async function textPreview(file: OpenFile, maxChars: number): Promise<string | null> {
  return isTextType(file.mimeType) ? (await textOf(file, maxChars)).content : null;
}

async function textOf(file: OpenFile, maxChars: number) {
  const bytes = await headOf(file, MAX_READ);
  const text = decoded(bytes);
  const content = text.slice(0, maxChars).toWellFormed();
  const isCut = content.length < text.length || file.size > bytes.length;
  return { content, extracted_length: content.length, original_length: text.length, truncated: isCut };
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}

async function headOf(file: OpenFile, most: number): Promise<Uint8Array> {
  if (file.size === 0) return new Uint8Array();
  return Buffer.concat(await file.stream({ start: 0, end: Math.min(file.size, most) - 1 }).toArray());
}
