import {
  type Attachment,
  type DocumentTexts,
  decodeText,
  estimateTokens,
  type Files,
  isStoredUrl,
  isTextType,
  type Logger,
  type OpenFile,
  type Turn,
  toDataBlock,
} from "@parley/core";

export interface FileText {
  readonly text: string;
  /** Size of the whole text, in bytes. */
  readonly size: number;
}

const MAX_FILE_BYTES = 64 * 1024;
const MAX_MESSAGE_BYTES = 128 * 1024;
/** Files of older messages are only named. */
const RECENT_MESSAGES = 12;
/** Larger documents are only named; they belong into the knowledge base. */
const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024;
const READ_TIMEOUT_MS = 20_000;
const MAX_CACHED = 64;
const DOCUMENT_TYPES = /^application\/(pdf|epub\+zip|vnd\.(openxmlformats-officedocument|oasis\.opendocument)\..+)$/;

export interface FileTextsDeps {
  readonly files: () => Pick<Files, "open"> | undefined;
  readonly documents: () => DocumentTexts | undefined;
  readonly log: Pick<Logger, "debug">;
}

/** Reads the texts of the files that people sent lately, by URL; a file that cannot be read is missing. */
export type FileTexts = (turn: Pick<Turn, "history" | "attachments">) => Promise<ReadonlyMap<string, FileText>>;

/** Creates the reader of document texts; a document is read once, however often it is in a prompt. */
export function createFileTexts({ files, documents, log }: FileTextsDeps): FileTexts {
  const textByHash = new Map<string, Promise<FileText | undefined>>();
  const readDocumentText = (file: OpenFile): Promise<FileText | undefined> => {
    const reader = documents();
    if (!reader || file.size > MAX_DOCUMENT_BYTES) return Promise.resolve(undefined);
    const reading = textByHash.get(file.sha256) ?? extractText(file, reader, log);
    textByHash.delete(file.sha256);
    textByHash.set(file.sha256, reading);
    const [oldest] = textByHash.keys();
    if (textByHash.size > MAX_CACHED && oldest !== undefined) textByHash.delete(oldest);
    return reading;
  };
  return (turn) => readTexts(turn, files(), readDocumentText, log);
}

async function readTexts(
  { history, attachments }: Pick<Turn, "history" | "attachments">,
  files: Pick<Files, "open"> | undefined,
  documentText: (file: OpenFile) => Promise<FileText | undefined>,
  log: Pick<Logger, "debug">,
): Promise<ReadonlyMap<string, FileText>> {
  const texts = new Map<string, FileText>();
  if (!files) return texts;
  const userMessages = history.slice(-RECENT_MESSAGES).filter(({ role }) => role === "user");
  for (const attachmentList of [...userMessages.map((message) => message.attachments), attachments]) {
    let left = MAX_MESSAGE_BYTES;
    for (const { url } of attachmentList.filter(isFile)) {
      const known = texts.get(url);
      try {
        const found =
          known ?? (await readFileText(await files.open(url), Math.min(MAX_FILE_BYTES, left), documentText));
        if (!found) continue;
        texts.set(url, found);
        left -= Buffer.byteLength(found.text);
      } catch (error) {
        log.debug("a file of a conversation could not be read", { url, error });
      }
    }
  }
  return texts;
}

/** Returns the file as the model reads it: data with its name, truncated to a number of tokens. */
export function toFileBlock({ name = "" }: Attachment, { text, size }: FileText, maxTokens: number): string {
  const excerpt = truncateToTokens(text, maxTokens);
  const bytes = Buffer.byteLength(excerpt);
  const truncationNote = bytes < size ? `\n(Only the beginning of the file is shown: ${bytes} of ${size} bytes.)` : "";
  return `${toDataBlock(`file: ${name}`, excerpt)}${truncationNote}`;
}

function isFile({ type, url }: Attachment): boolean {
  return type === "file" && isStoredUrl(url);
}

/** Extracts the text of a document; undefined when it is unreadable, which is cached to avoid a retry with every message. */
async function extractText(
  file: OpenFile,
  documents: DocumentTexts,
  log: Pick<Logger, "debug">,
): Promise<FileText | undefined> {
  try {
    const given = { name: file.name, bytes: await file.bytes() };
    const text = await documents.textOf(given, AbortSignal.timeout(READ_TIMEOUT_MS));
    return { text: truncateToBytes(text, MAX_FILE_BYTES), size: Buffer.byteLength(text) };
  } catch (error) {
    log.debug("a document of a conversation could not be read", { url: file.url, error });
    return undefined;
  }
}

/** Truncates a text to a number of bytes, without splitting a character. */
function truncateToBytes(text: string, most: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, most), { stream: true });
}

async function readFileText(
  file: OpenFile,
  most: number,
  documentText: (file: OpenFile) => Promise<FileText | undefined>,
): Promise<FileText | undefined> {
  if (DOCUMENT_TYPES.test(file.mimeType)) {
    const found = await documentText(file);
    return found && { ...found, text: truncateToBytes(found.text, most) };
  }
  if (!isTextType(file.mimeType)) return undefined;
  const wanted = Math.min(file.size, most);
  const bytes =
    wanted > 0 ? Buffer.concat(await file.stream({ start: 0, end: wanted - 1 }).toArray()) : new Uint8Array();
  const isCut = wanted < file.size;
  const text = decodeText(bytes, { isCut });
  return text === undefined ? undefined : { text, size: isCut ? file.size : Buffer.byteLength(text) };
}

function truncateToTokens(text: string, most: number): string {
  if (estimateTokens(text) <= most) return text;
  let [fits, tooMany] = [0, text.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (estimateTokens(text.slice(0, middle)) <= most) fits = middle;
    else tooMany = middle;
  }
  return text.slice(0, fits).replace(/[\ud800-\udbff]$/, "");
}
