import {
  type Attachment,
  estimateTokens,
  type Files,
  isStoredUrl,
  isTextType,
  type Logger,
  type OpenFile,
  type Turn,
} from "@parley/core";
import { dataBlock } from "./data-block.ts";

/** What a model is shown of a file. */
export interface FileText {
  readonly text: string;
  /** Of the whole file, in bytes. */
  readonly size: number;
}

const MAX_FILE = 64 * 1024;
const MAX_MESSAGE = 128 * 1024;
/** Older ones are only named. */
const MESSAGES = 12;

/** The texts of the files that people sent lately, by url. One that cannot be read is only named. */
export async function fileTextsOf(
  { history, attachments }: Pick<Turn, "history" | "attachments">,
  files: Pick<Files, "open"> | undefined,
  log: Pick<Logger, "debug">,
): Promise<ReadonlyMap<string, FileText>> {
  const texts = new Map<string, FileText>();
  if (!files) return texts;
  const said = history.slice(-MESSAGES).filter(({ role }) => role === "user");
  for (const sent of [...said.map((message) => message.attachments), attachments]) {
    let left = MAX_MESSAGE;
    for (const { url } of sent.filter(isFile)) {
      const known = texts.get(url);
      try {
        const found = known ?? (await read(await files.open(url), Math.min(MAX_FILE, left)));
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

/** The file as the model reads it: data with its name, cut to so many tokens. */
export function quoted({ name = "" }: Attachment, { text, size }: FileText, maxTokens: number): string {
  const shown = cutToTokens(text, maxTokens);
  const label = name.replaceAll(/[<>"&\p{Cc}]/gu, "_");
  const bytes = Buffer.byteLength(shown);
  const cut = bytes < size ? `\n(Only the beginning of the file is shown: ${bytes} of ${size} bytes.)` : "";
  return `${dataBlock(`file: ${label}`, shown)}${cut}`;
}

function isFile({ type, url }: Attachment): boolean {
  return type === "file" && isStoredUrl(url);
}

async function read(file: OpenFile, most: number): Promise<FileText | undefined> {
  if (!isTextType(file.mimeType)) return undefined;
  const wanted = Math.min(file.size, most);
  const bytes =
    wanted > 0 ? Buffer.concat(await file.stream({ start: 0, end: wanted - 1 }).toArray()) : new Uint8Array();
  // Files are UTF-8 by their type; a character that the cut goes through is left out.
  return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true }), size: file.size };
}

function cutToTokens(text: string, most: number): string {
  if (estimateTokens(text) <= most) return text;
  let [fits, tooMany] = [0, text.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (estimateTokens(text.slice(0, middle)) <= most) fits = middle;
    else tooMany = middle;
  }
  return text.slice(0, fits).replace(/[\ud800-\udbff]$/, "");
}
