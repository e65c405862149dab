import {
  type Attachment,
  type ChannelIo,
  DeliveryError,
  deliveryFailure,
  isStoredUrl,
  type OutboundMessage,
  type Receipt,
} from "@parley/core";
import { openForSending } from "@parley/core/channels";
import { type BotApi, isAlreadyDone } from "../bot-api.ts";
import { type FormattedText, NOT_EDITABLE, sendFormatted } from "./format-reply.ts";
import { toReplyMarkup } from "./keyboard.ts";
import { toTarget } from "./to-chat.ts";

export interface SenderDeps {
  readonly api: BotApi;
  readonly files: ChannelIo["files"];
}

interface SentMessage {
  readonly message_id: number;
  readonly chat: { readonly id: number };
}

type SendMessage = (message: OutboundMessage, signal: AbortSignal) => Promise<Receipt>;

export function createSender({ api, files }: SenderDeps): SendMessage {
  return async (message, signal) => {
    const { conversation, text } = message;
    const target = toTarget(conversation.id);
    if (!Number.isSafeInteger(target.chat_id)) throw deliveryFailure("permanent", "no_chat", {});
    signal.throwIfAborted();
    const [attachment] = message.attachments;
    if (message.completes !== undefined && !attachment) {
      const where = { ...target, ...toReplyMarkup(message) };
      const done = await completeDraft(api, where, message.completes, text, signal);
      if (done) return { platformMessageId: message.completes, quality: "confirmed" };
    }
    const where = { ...target, ...toReplyParameters(message), ...toReplyMarkup(message) };
    const sent = await sendWithFallback(where, message, (base) =>
      attachment ? sendAttachment(api, files, base, attachment, signal) : sendText(api, base, text, signal),
    );
    if (!sent) return { quality: "accepted" };
    return { platformMessageId: `${sent.chat.id}:${sent.message_id}`, quality: "confirmed" };
  };
}

interface SendTarget {
  readonly message_thread_id?: number;
  readonly reply_parameters?: object;
}

const THREAD_GONE =
  /message thread not found|invalid message thread|TOPIC_(?:CLOSED|DELETED|ID_INVALID)|topic (?:is )?(?:closed|deleted)/i;
const MESSAGE_GONE = /(?:repl(?:y|ied) message|message to (?:be replied|reply)) not found|REPLY_MESSAGE_ID_INVALID/i;

/** Sends a message: to the whole chat when its topic is gone, and without a reply when the replied message is gone. */
async function sendWithFallback(
  where: SendTarget,
  message: OutboundMessage,
  send: (where: SendTarget) => Promise<SentMessage | undefined>,
): Promise<SentMessage | undefined> {
  try {
    return await send(where);
  } catch (error) {
    const description = DeliveryError.is(error) ? error.message : "";
    const { message_thread_id: thread, reply_parameters: reply, ...chat } = where;
    if (thread !== undefined && THREAD_GONE.test(description)) {
      return sendWithFallback({ ...chat, ...toReplyParameters({ ...message, part: 1 }) }, message, send);
    }
    if (reply === undefined || !MESSAGE_GONE.test(description)) throw error;
    return sendWithFallback({ ...chat, ...(thread !== undefined && { message_thread_id: thread }) }, message, send);
  }
}

/** Replaces the streaming draft by the whole text; false when that message was deleted. */
async function completeDraft(
  api: BotApi,
  target: object,
  draft: string,
  text: string,
  signal: AbortSignal,
): Promise<boolean> {
  const base = { ...target, message_id: Number(draft.split(":")[1]), ...NO_PREVIEW };
  try {
    await sendFormatted(text, (body) => api.call("editMessageText", { ...base, ...body }, signal));
  } catch (error) {
    if (DeliveryError.is(error) && error.failure === "payload" && NOT_EDITABLE.test(error.message)) return false;
    if (!isAlreadyDone(error)) throw error;
  }
  return true;
}

const NO_PREVIEW = { link_preview_options: { is_disabled: true } };

function sendText(api: BotApi, base: object, text: string, signal: AbortSignal): Promise<SentMessage> {
  return sendFormatted(text, (body) => sendPlain(api, base, body, signal));
}

function sendPlain(api: BotApi, base: object, body: FormattedText, signal: AbortSignal): Promise<SentMessage> {
  return api.call<SentMessage>("sendMessage", { ...base, ...NO_PREVIEW, ...body }, signal, {
    unclearFailure: "ambiguous",
  });
}

function sendAttachment(
  api: BotApi,
  files: SenderDeps["files"],
  base: object,
  attachment: Attachment,
  signal: AbortSignal,
): Promise<SentMessage | undefined> {
  return isStoredUrl(attachment.url)
    ? sendStored(api, files, base, attachment, signal)
    : sendFile(api, base, attachment, signal);
}

type MediaMethod = readonly [type: RegExp, method: string, field: string];
const PHOTO_METHOD: MediaMethod = [/^image\/(png|jpeg|webp)$/, "sendPhoto", "photo"];
/** Method for GIFs, which as photos would not be animated. */
const ANIMATION_METHOD: MediaMethod = [/^image\/gif$/, "sendAnimation", "animation"];
/** Methods of the API by media type, with the field of the file. */
const MEDIA_METHODS: readonly MediaMethod[] = [
  PHOTO_METHOD,
  ANIMATION_METHOD,
  [/^audio\/(mpeg|mp4)$/, "sendAudio", "audio"],
  [/^audio\/ogg$/, "sendVoice", "voice"],
  [/^video\/mp4$/, "sendVideo", "video"],
];
const DOCUMENT_METHOD = [/./, "sendDocument", "document"] as const;
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;
const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;

/** Uploads a stored file. A type that the platform does not display is sent as a document. */
async function sendStored(
  api: BotApi,
  files: SenderDeps["files"],
  base: object,
  { url, name }: Attachment,
  signal: AbortSignal,
): Promise<SentMessage> {
  const file = await openForSending(files, url);
  if (file.size > MAX_UPLOAD_BYTES) throw deliveryFailure("payload", "file_large", { most: 50 });
  const bytes = await file.bytes();
  const upload = (method: string, field: string) => {
    const part = { field, name: name ?? file.name, type: file.mimeType, bytes };
    return api.upload<SentMessage>(method, base, part, signal, "ambiguous");
  };
  const [, method, field] = MEDIA_METHODS.find(([type]) => type.test(file.mimeType)) ?? DOCUMENT_METHOD;
  if (method === "sendPhoto" && file.size > MAX_PHOTO_BYTES) return upload(DOCUMENT_METHOD[1], DOCUMENT_METHOD[2]);
  try {
    return await upload(method, field);
  } catch (error) {
    if (method === "sendDocument" || !isContentRejected(error)) throw error;
    return upload(DOCUMENT_METHOD[1], DOCUMENT_METHOD[2]);
  }
}

/** Sends a file by its address; a file that the platform cannot fetch is sent as a link, and such a sticker is omitted. */
async function sendFile(
  api: BotApi,
  base: object,
  { type, url, name, mime_type = "" }: Attachment,
  signal: AbortSignal,
): Promise<SentMessage | undefined> {
  if (!url.startsWith("https://")) throw deliveryFailure("payload", "file_private", {});
  const isPicture = type === "image" || type === "sticker";
  try {
    const asPicture = mime_type === "image/gif" ? ANIMATION_METHOD : PHOTO_METHOD;
    const [, method, field] = isPicture ? asPicture : DOCUMENT_METHOD;
    return await api.call<SentMessage>(method, { ...base, [field]: url }, signal, { unclearFailure: "ambiguous" });
  } catch (error) {
    if (!isContentRejected(error)) throw error;
    if (type === "sticker") return undefined;
    return sendPlain(api, base, { text: name === undefined ? url : `${name}: ${url}` }, signal);
  }
}

function isContentRejected(error: unknown): boolean {
  if (!DeliveryError.is(error) || error.failure === "migrated") return false;
  const isOfChat =
    /chat not found|not enough rights|PEER_ID_INVALID/i.test(error.message) ||
    [THREAD_GONE, MESSAGE_GONE].some((words) => words.test(error.message));
  return error.failure === "payload" || (error.platformCode === "400" && !isOfChat);
}

/** Returns the reply parameters; empty for later parts and for a message of another chat. */
export function toReplyParameters({
  replyTo,
  part,
  conversation,
}: Pick<OutboundMessage, "part" | "conversation"> & { readonly replyTo?: string | undefined }): object {
  if (replyTo === undefined || part > 1) return {};
  const [chat, message] = replyTo.split(":");
  if (chat !== conversation.id.split(":")[0]) return {};
  return { reply_parameters: { message_id: Number(message), allow_sending_without_reply: true } };
}
