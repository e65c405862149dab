import { type Attachment, type ChannelIo, deliveryFailure, isStoredUrl, type OutboundMessage } from "@parley/core";
import { openForSending } from "@parley/core/channels";
import { layOutMarkdown } from "@parley/core/markdown";
import type { SdkFile, SdkPostable } from "../sdk/sdk-adapter.ts";

/** The Chat SDK's own limit for what it downloads; platforms take no more from bots either. */
const MAX_FILE_MB = 25;

/** Converts a message: stored files go along as bytes, others as a line with their address. */
export async function toPostable(
  files: ChannelIo["files"],
  { text, attachments }: Pick<OutboundMessage, "text" | "attachments">,
  escapesMarks = false,
): Promise<SdkPostable> {
  const stored = attachments.filter(({ url }) => isStoredUrl(url));
  const lines = attachments.filter(({ url }) => !isStoredUrl(url)).map(toLine);
  const markdown = escapeBroadcasts([text, ...lines].filter((one) => one !== "").join("\n\n"));
  const content = escapesMarks && !layOutMarkdown(markdown) ? { raw: markdown } : { markdown };
  if (stored.length === 0) return content;
  return { ...content, files: await Promise.all(stored.map((attachment) => readFile(files, attachment))) };
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
    .replaceAll(/@(?=everyone\b|here\b|channel\b)/g, "@\u200b");
}
