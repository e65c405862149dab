import { type Attachment, channelFileUrl, type InboundMessage } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import { listFiles, toText } from "./content.ts";
import type { EventBody } from "./event-security.ts";

interface MessageEvent {
  readonly sender?: {
    readonly sender_id?: { readonly open_id?: string };
    readonly sender_type?: string;
  };
  readonly message?: {
    readonly message_id?: string;
    readonly parent_id?: string;
    readonly chat_id?: string;
    readonly chat_type?: string;
    readonly message_type?: string;
    readonly content?: string;
    readonly create_time?: string;
    readonly mentions?: readonly Mention[];
  };
}
/** A mention; its id is an object in events, and a text in fetched messages. */
export interface Mention {
  readonly key?: string;
  readonly id?: string | { readonly open_id?: string };
  readonly name?: string;
}

export interface DecodeContext {
  readonly channelId: string;
  readonly appId: string;
  /** The bot's own open_id; undefined while it is not known. */
  readonly botId: string | undefined;
  /** Returns true when this service sent the message. */
  readonly isOwnMessage: (messageId: string) => boolean;
}

/** Decodes an event; undefined for anything but a message by a person. */
export function decodeEvent(body: EventBody, context: DecodeContext): InboundMessage | undefined {
  const type = body.header?.event_type;
  if (type === "im.message.recalled_v1") return toRecallMessage(body, context);
  if (type !== "im.message.receive_v1") return undefined;
  const { sender, message } = body.event as MessageEvent;
  const { message_id: id, chat_id: chat, chat_type: chatType, message_type: kind = "", content = "" } = message ?? {};
  if (sender?.sender_type === "app" || !id || !chat) return undefined;
  const raw = toText(kind, content);
  const { text, isMentioned } = replaceMentions(raw ?? "", message?.mentions ?? [], context.botId);
  const attachments = toAttachments(id, kind, content);
  // Every chat that is not private is a group.
  const isGroup = chatType !== undefined && chatType !== "p2p";
  const repliesToUs = message?.parent_id !== undefined && context.isOwnMessage(message.parent_id);
  const addressed = !isGroup || isMentioned || repliesToUs;
  const isNothing = text === "" && attachments.length === 0 && !isMentioned;
  if (raw === undefined ? !addressed : isNothing) return undefined;
  return {
    ...toBaseMessage(context, chat, isGroup, body),
    kind: "message",
    sender: { id: sender?.sender_id?.open_id ?? "", name: "", isAdmin: false },
    text,
    attachments,
    addressed,
    ...(raw === undefined && { unreadable: kind || "unknown" }),
    // The same message may arrive with two event ids.
    dedupeKey: `${context.appId}:msg:${id}`,
    platformMessageId: id,
    ...(message?.parent_id && { replyTo: message.parent_id }),
    ...toPlatformTime(message?.create_time),
  };
}

export function toAttachments(message: string, kind: string, content: string): readonly Attachment[] {
  return listFiles(kind, content).map(({ kind: type, name, key, type: asked }) => ({
    type,
    url: channelFileUrl({ message, key, type: asked }),
    ...(name !== undefined && { name }),
  }));
}

function toRecallMessage(body: EventBody, context: DecodeContext): InboundMessage | undefined {
  const { message_id: id, chat_id: chat } = (body.event ?? {}) as {
    readonly message_id?: string;
    readonly chat_id?: string;
  };
  if (!id || !chat) return undefined;
  return {
    ...toBaseMessage(context, chat, false, body),
    kind: "recall",
    sender: { id: "", name: "", isAdmin: false },
    text: "",
    attachments: [],
    addressed: true,
    dedupeKey: `${context.appId}:recall:${id}`,
    platformMessageId: id,
  };
}

function toBaseMessage({ channelId, appId }: DecodeContext, chat: string, isGroup: boolean, raw: EventBody) {
  return {
    channelId,
    sessionId: sessionIdOf(channelId, chat),
    conversation: { id: chat, isGroup },
    account: appId,
    source: channelId,
    raw,
  };
}

/** Replaces mentions by names, and removes the mention of the bot. `@_all` does not address the bot. */
export function replaceMentions(text: string, mentions: readonly Mention[], botId: string | undefined) {
  const byKey = new Map(mentions.map((mention) => [mention.key ?? "", mention]));
  const isUs = ({ id }: Mention) => botId !== undefined && toOpenId(id) === botId;
  const named = text.replaceAll(/@_(?:user_\d+|all)/g, (key) => {
    const mention = byKey.get(key);
    if (!mention) return key === "@_all" ? "@all" : key;
    return isUs(mention) ? "" : `@${mention.name || (toOpenId(mention.id) ?? "")}`;
  });
  return { text: named.trim(), isMentioned: mentions.some(isUs) };
}

function toOpenId(id: Mention["id"]): string | undefined {
  return typeof id === "string" ? id : id?.open_id;
}

function toPlatformTime(created: string | undefined): { readonly platformTime?: string } {
  const ms = Number(created);
  return Number.isFinite(ms) && ms > 0 ? { platformTime: new Date(ms).toISOString() } : {};
}
