import { type Attachment, type ChannelIo, DeliveryError, isStoredUrl, type OutboundMessage } from "@parley/core";
import { splitMarkdown, toPlainText } from "@parley/core/markdown";
import { buildCard } from "./cards/build-card.ts";
import { uploadFile } from "./media.ts";
import type { OpenApi } from "./open-api.ts";
import { escapeMentions, toPost } from "./post.ts";

/** Maximum characters of a text, and bytes of a rich text with its envelope: the platform's limit for those is 30 KB. */
const MAX_PART_LENGTH = 30_000;
/** Codes for a replied message that was deleted, is in a deleted topic, or is invisible to the bot. */
const MESSAGE_GONE_CODES: ReadonlySet<string> = new Set(["230011", "230110", "230019", "230050"]);

interface MessageContent {
  readonly msg_type: string;
  readonly content: string;
}

/** Splits a reply into messages within the platform's limit. */
export function splitParts(markdown: string, limit = MAX_PART_LENGTH): readonly string[] {
  return splitMarkdown(markdown, limit, (part) => {
    const { msg_type, content } = formatText(part);
    return msg_type === "text" ? part.length : Buffer.byteLength(JSON.stringify(content));
  });
}

/** Formats a text as a rich text of the platform; one without marks is a plain message. */
function formatText(markdown: string): MessageContent {
  const content = toPost(markdown);
  if (!content) return toPlainContent(markdown);
  return { msg_type: "post", content: JSON.stringify({ zh_cn: { title: "", content } }) };
}

function toPlainContent(text: string): MessageContent {
  return { msg_type: "text", content: JSON.stringify({ text: escapeMentions(text) }) };
}

/** Sends one part: a stored file by its key, all else as text. A rich text the platform rejects is sent again as plain text. */
export async function sendMessage(
  api: OpenApi,
  files: ChannelIo["files"],
  message: OutboundMessage,
  signal: AbortSignal,
): ReturnType<OpenApi["call"]> {
  const content = await buildContent(api, files, message, signal);
  try {
    return await sendContent(api, message, content, signal);
  } catch (error) {
    const isRejected = DeliveryError.is(error) && error.failure === "payload";
    if (content.msg_type !== "post" || !isRejected) throw error;
  }
  return sendContent(api, message, toPlainContent(toPlainText(message.text)), signal);
}

async function buildContent(
  api: OpenApi,
  files: ChannelIo["files"],
  message: OutboundMessage,
  signal: AbortSignal,
): Promise<MessageContent> {
  const {
    text,
    attachments: [file],
    elements = [],
  } = message;
  if (elements.length > 0) return { msg_type: "interactive", content: JSON.stringify(buildCard(message)) };
  if (file && isStoredUrl(file.url)) return uploadFile(api, files, file, signal);
  return file ? toPlainContent(toLine(file)) : formatText(text);
}

const toLine = ({ name, url }: Attachment) => (name === undefined ? url : `${name}: ${url}`);

/** Sends content: the first part as a reply; other parts, and a reply to a deleted message, as new messages. */
async function sendContent(api: OpenApi, message: OutboundMessage, content: MessageContent, signal: AbortSignal) {
  const { deliveryId, conversation, replyTo, part } = message;
  const body = { ...content, uuid: deliveryId };
  const create = () =>
    api.call("POST", "/im/v1/messages?receive_id_type=chat_id", { ...body, receive_id: conversation.id }, signal);
  if (replyTo === undefined || part > 1) return create();
  try {
    const path = `/im/v1/messages/${encodeURIComponent(replyTo)}/reply`;
    return await api.call("POST", path, { ...body, reply_in_thread: false }, signal);
  } catch (error) {
    if (DeliveryError.is(error) && MESSAGE_GONE_CODES.has(error.platformCode ?? "")) return create();
    throw error;
  }
}
