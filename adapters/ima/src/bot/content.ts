import { type ChannelIo, DeliveryError, isStoredUrl, type OutboundMessage } from "@parley/core";
import { openForSending } from "@parley/core/channels";
import { toPlainText } from "@parley/core/markdown";
import type { BotApi } from "./bot-api.ts";

const LINK_TTL_S = 3_600;

/** Media types that the platform displays; it accepts no others. */
const MEDIA_TYPES: readonly (readonly [type: RegExp, fileType: number])[] = [
  [/^image\/(png|jpeg)$/, 1],
  [/^video\/mp4$/, 2],
  [/^audio\/silk$/, 3],
];

/** Builds the content of a message: rich media for a file that the platform shows, else text. */
export async function buildContent(
  api: BotApi,
  files: ChannelIo["files"],
  path: string,
  message: OutboundMessage,
  signal: AbortSignal,
): Promise<object> {
  const [attachment] = message.attachments;
  if (!attachment || !isStoredUrl(attachment.url)) return { content: toText(message), msg_type: 0 };
  const file = await openForSending(files, attachment.url);
  const fileType = MEDIA_TYPES.find(([type]) => type.test(file.mimeType))?.[1];
  const note = { content: `[${attachment.type}: ${attachment.name ?? file.name}]`, msg_type: 0 };
  // Media can only be sent to people and groups.
  if (fileType === undefined || !path.startsWith("/v2/")) return note;
  try {
    const url = files.link(attachment.url, LINK_TTL_S);
    const answer = await api.call("POST", `${path}/files`, { file_type: fileType, url, srv_send_msg: false }, signal);
    return { content: " ", msg_type: 7, media: { file_info: answer.file_info } };
  } catch (error) {
    // The platform cannot fetch the address, so the text names the file instead.
    if (DeliveryError.is(error) && (error.failure === "permanent" || error.failure === "payload")) return note;
    throw error;
  }
}

/** Returns the text of a message; files are sent as addresses, as plain text since the platform rejects links to unregistered ones. */
function toText({ text, attachments }: OutboundMessage): string {
  return [toPlainText(text), ...attachments.map(({ url }) => url)].filter(Boolean).join("\n");
}
