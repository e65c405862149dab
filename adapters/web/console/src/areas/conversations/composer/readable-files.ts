import { useAreas } from "../../../shared/api/console.ts";

/** Maximum bytes of one file that the service reads to the model. */
export const MAX_READ_BYTES = 64 * 1024;
const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024;

/** True when the service reads files of this type to the model (a copy of `isTextType`, because the page cannot load the core). */
export function isReadAsText(mimeType: string | undefined): boolean {
  return /^(text\/|application\/(json|xml)$|image\/svg\+xml$)/.test(mimeType ?? "");
}

/** True when the file is a document whose text can be extracted. */
export function isDocument(mimeType: string | undefined): boolean {
  return /^application\/(pdf|epub\+zip|vnd\.(openxmlformats-officedocument|oasis\.opendocument)\..+)$/.test(
    mimeType ?? "",
  );
}

interface FileInfo {
  readonly mime_type?: string | undefined;
  readonly size?: number | undefined;
}

/** The extent to which the model reads a file: the whole text, possibly only its beginning, or only the name. */
export type ReadingExtent = "whole" | "beginning" | "name";

/** Returns how much of a file the model reads; documents need the knowledge base, which extracts their text. */
export function useReadingExtent(): (file: FileInfo) => ReadingExtent {
  const areas = useAreas();
  const readsDocuments = areas.data?.items.some(({ id }) => id === "knowledge") === true;
  return ({ mime_type, size = 0 }) => {
    if (isReadAsText(mime_type)) return size <= MAX_READ_BYTES ? "whole" : "beginning";
    return readsDocuments && isDocument(mime_type) && size <= MAX_DOCUMENT_BYTES ? "beginning" : "name";
  };
}
