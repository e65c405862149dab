import {
  type Attachment,
  type ChannelLink,
  type DirectMessage,
  derivedId,
  type InboundMessage,
  inLanguage,
  type Localized,
  type MessageElement,
  type Reply,
  type Session,
  senderLanguage,
  type Turn,
} from "@parley/core";
import { closingFence } from "@parley/core/channels";
import { layOutElements } from "../elements/lay-out-elements.ts";
import type { Delivery } from "../store/delivery.ts";
import { addPauses, splitAnswer } from "./parts/answer-parts.ts";

const REPLY_TTL_MS = 10 * 60_000;

export type FindLink = (
  channelId: string,
) => Pick<ChannelLink, "split" | "showsSticker" | "sendsWhole" | "elements"> | undefined;

/** True when no replies are sent: the console, and an operator who asks privately, read the stored messages. */
export function isConsoleOnly({ channelId, isOperatorOnly }: InboundMessage): boolean {
  return channelId === "web" || isOperatorOnly === true;
}

export interface DeliveryOptions {
  readonly link: FindLink;
  readonly nowMs: number;
  /** Text below an interrupted reply; an empty string disables it. */
  readonly cutReply: string | Localized;
}

/** Builds the deliveries for the replies of a turn. */
export function buildDeliveries(
  turn: Turn,
  draftId: string | undefined,
  options: DeliveryOptions,
): readonly Delivery[] {
  if (isConsoleOnly(turn.inbound)) return [];
  const [first, ...others] = turn.replies.flatMap((reply, index) =>
    buildReply(turn, { reply, index, wasShown: draftId !== undefined }, options),
  );
  return first ? [completeDraft(first, draftId), ...others] : [];
}

interface PlannedReply {
  readonly reply: Reply;
  /** Place of the reply in the turn. */
  readonly index: number;
  /** True when a streaming draft of it is shown. */
  readonly wasShown: boolean;
}

function buildReply(
  { inbound, traceId, session, capabilities }: Turn,
  { reply, index, wasShown }: PlannedReply,
  { link, nowMs, cutReply }: DeliveryOptions,
): readonly Delivery[] {
  const { channelId, conversation, platformMessageId: replyTo } = inbound;
  const to = { channelId, conversation, sessionId: session.id, ...(replyTo !== undefined && { replyTo }) };
  const suffix = inLanguage(cutReply, senderLanguage(inbound));
  const text = isInterrupted(reply) ? markInterrupted(reply.text, suffix) : reply.text;
  const { elements, ...content } = placeElements({ ...to, ...reply, text }, link);
  const message = convertFilesToText(content, capabilities.supports_file_send, link);
  const name = getNamePrefix(session, reply.kind);
  const named = { ...message, text: message.text === "" ? "" : name + message.text };
  const { split = toWhole, sendsWhole = false } = link(channelId) ?? {};
  const isWhole = wasShown || sendsWhole || reply.isWhole === true;
  const splitNamed = (part: string) => split(name + part);
  const parts = splitAnswer(message.text.toWellFormed(), { session, reply, isWhole, split: splitNamed });
  if (!parts) return attachElements(splitIntoDeliveries(traceId, index, named, link, nowMs), elements);
  const texts = parts.map((part, at) => (at === 0 ? name + part.text : part.text));
  const deliveries = splitIntoDeliveries(traceId, index, named, () => ({ split: () => texts }), nowMs);
  const spaced = addPauses(deliveries, { parts, textLength: message.text.length, answerId: reply.id, inbound });
  return attachElements(spaced, elements);
}

/** Returns a message whose elements are all of types that the channel shows; the others are part of its text and files. */
export function placeElements(message: DirectMessage, link: FindLink): DirectMessage {
  const { elements: own = [], ...content } = message;
  if (own.length === 0) return content;
  const { text, pictures, elements } = layOutElements(own, link(message.channelId)?.elements ?? []);
  return {
    ...content,
    text: [content.text, text].filter((part) => part !== "").join("\n\n"),
    attachments: [...content.attachments, ...pictures],
    elements,
  };
}

/** Adds the elements to the last delivery with a text; a message of elements alone is sent without one. */
export function attachElements(
  deliveries: readonly Delivery[],
  elements: readonly MessageElement[] = [],
): readonly Delivery[] {
  if (elements.length === 0) return deliveries;
  const at = deliveries.findLastIndex(({ message }) => message.text !== "");
  return deliveries.map((one, index) => (index === at ? { ...one, message: { ...one.message, elements } } : one));
}

const toWhole = (text: string): readonly string[] => [text];

/** Returns the name that stands before an answer on platforms where several characters share the conversation; else "". */
export function getNamePrefix({ character_ids = [], sender_name }: Session, kind: Reply["kind"] = "normal"): string {
  return kind === "normal" && character_ids.length > 1 && sender_name !== "" ? `${sender_name}: ` : "";
}

/** True for a reply that was cut off by an error or a timeout, not by a person or the length limit. */
export function isInterrupted({ cut }: Pick<Reply, "cut">): boolean {
  return cut === "error" || cut === "timeout";
}

/** Marks an interrupted reply as incomplete in its text, because a platform's reader sees nothing else. */
function markInterrupted(text: string, suffix: string): string {
  if (text.trim() === "") return text;
  const fence = closingFence(text);
  const marked = `${text.trimEnd()} …${fence === undefined ? "" : `\n${fence}`}`;
  return suffix === "" ? marked : `${marked}\n\n${suffix}`;
}

/** Changes the delivery so that it edits the streaming draft into the first part of the reply. */
function completeDraft(delivery: Delivery, draftId: string | undefined): Delivery {
  if (draftId === undefined || delivery.message.text === "") return delivery;
  return { ...delivery, message: { ...delivery.message, completes: draftId } };
}

/** Splits a reply into deliveries, one per part, as the platform requires. */
export function splitIntoDeliveries(
  traceId: string,
  index: number,
  { channelId, sessionId, conversation, text: whole, attachments, replyTo }: DirectMessage,
  link: FindLink,
  nowMs: number,
): readonly Delivery[] {
  const split = link(channelId)?.split ?? toWhole;
  // Platforms reject half a surrogate pair, or show damaged text around it.
  const texts = whole === "" ? [] : split(whole.toWellFormed()).filter((text) => text !== "");
  const contents = [
    ...texts.map((text) => ({ text, attachments: [] as const })),
    ...attachments.map((attachment) => ({ text: "", attachments: [attachment] })),
  ];
  return contents.map((content, part) => {
    const id = toDeliveryId(traceId, index, part);
    const message = {
      deliveryId: id,
      traceId,
      channelId,
      sessionId,
      conversation: { id: conversation.id, isGroup: conversation.isGroup },
      ...content,
      ...(replyTo !== undefined && { replyTo }),
      part: part + 1,
      parts: contents.length,
    };
    return {
      id,
      channelId,
      conversationId: conversation.id,
      message,
      state: "pending",
      attempts: 0,
      throttles: 0,
      nextMs: nowMs,
      expiresMs: nowMs + REPLY_TTL_MS,
      createdMs: nowMs,
    };
  });
}

/** Replaces each file by a line of text if the channel cannot send files; drops stickers it does not show. */
export function convertFilesToText(message: DirectMessage, supportsFiles: boolean, link: FindLink): DirectMessage {
  const { showsSticker = () => supportsFiles } = link(message.channelId) ?? {};
  const attachments = message.attachments.filter((one) => one.type !== "sticker" || showsSticker(one));
  if (supportsFiles) return { ...message, attachments };
  const stickers = attachments.filter(({ type }) => type === "sticker");
  const lines = attachments.filter(({ type }) => type !== "sticker").map(toFileLine);
  const text = [message.text, ...lines].filter((line) => line !== "").join("\n");
  return { ...message, text, attachments: stickers };
}

/** Returns the line for a file; without the address of a file of this service, which not everybody may open. */
function toFileLine({ type, name, url }: Attachment): string {
  const label = name ? `[${type}: ${name}]` : `[${type}]`;
  return url.startsWith("https://") ? `${label} ${url}` : label;
}

/** Builds a message from the service itself to the sender, for example that an answer failed. */
export function buildNotice(
  traceId: string,
  message: InboundMessage,
  words: string | Localized,
  nowMs: number,
  replyIndex = 0,
): readonly Delivery[] {
  const { channelId, sessionId, conversation } = message;
  const text = inLanguage(words, senderLanguage(message));
  const wholeText: FindLink = () => undefined;
  return splitIntoDeliveries(
    traceId,
    replyIndex,
    { channelId, sessionId, conversation, text, attachments: [] },
    wholeText,
    nowMs,
  );
}

function toDeliveryId(traceId: string, reply: number, part: number): string {
  return derivedId("dlv", traceId, String(reply), String(part));
}
