import { type Attachment, type ChannelIo, deliveryFailure, isStoredUrl, type OutboundMessage } from "@parley/core";
import { openForSending } from "@parley/core/channels";
import { layOutMarkdown } from "@parley/core/markdown";
import type { KnownPackage } from "../packages/known-packages.ts";
import type { SdkFile, SdkPostable } from "../sdk/sdk-adapter.ts";
import { toCard } from "./to-card.ts";

/** The Chat SDK's own limit for what it downloads; platforms take no more from bots either. */
const MAX_FILE_MB = 25;

/** Converts a message: stored files go along as bytes, others as a line with their address. */
export async function toPostable(
  files: ChannelIo["files"],
  { text, attachments, elements }: Pick<OutboundMessage, "text" | "attachments" | "elements">,
  format: Pick<KnownPackage, "escapesMarks" | "formatsMarkdown"> = {},
): Promise<SdkPostable> {
  const stored = attachments.filter(({ url }) => isStoredUrl(url));
  const lines = attachments.filter(({ url }) => !isStoredUrl(url)).map(toLine);
  const markdown = escapeBroadcasts([text, ...lines].filter((one) => one !== "").join("\n\n"));
  const card = toCard({ text: markdown, ...(elements && { elements }) });
  const content = card ? { card } : isSentAsIs(markdown, format) ? { raw: markdown } : { markdown };
  if (stored.length === 0) return content;
  return { ...content, files: await Promise.all(stored.map((attachment) => readFile(files, attachment))) };
}

const TABLE = /^\s*\|?[ :|-]*-{3}[ :|-]*\|?\s*$/m;

/** Returns true for a text that the package must not format: one without marks, or whose marks the platform formats. */
function isSentAsIs(
  markdown: string,
  { escapesMarks, formatsMarkdown }: Pick<KnownPackage, "escapesMarks" | "formatsMarkdown">,
): boolean {
  if (formatsMarkdown) return !(TABLE.test(markdown) && markdown.includes("|"));
  return escapesMarks === true && !layOutMarkdown(markdown);
}

async function readFile(files: ChannelIo["files"], { url, name }: Attachment): Promise<SdkFile> {
  const file = await openForSending(files, url);
  if (file.size > MAX_FILE_MB * 1024 * 1024) throw deliveryFailure("payload", "file_large", { most: MAX_FILE_MB });
  return { data: Buffer.from(await file.bytes()), filename: name ?? file.name, mimeType: file.mimeType };
}

const toLine = ({ name, url }: Attachment) => (name === undefined ? url : `${name}: ${url}`);

/** Breaks marks that would notify everybody of a channel: an answer of a model must not. */
function escapeBroadcasts(markdown: string): string {
  return markdown
    .replaceAll(/<!(?=channel|here|everyone|subteam)/g, "<\u200b!")
    .replaceAll(/(?<![\p{L}\p{N}._%+-])@(?=everyone\b|here\b|channel\b)/gu, "@\u200b");
}
