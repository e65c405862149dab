import { type Attachment, channelFileUrl, type InboundMessage, sessionIdOf } from "@parley/core";
import { filesOf, textOf } from "./content.ts";
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
interface Mention {
  readonly key?: string;
  readonly id?: { readonly open_id?: string };
  readonly name?: string;
}

export interface DecodeParts {
  readonly channelId: string;
  readonly appId: string;
  /** The bot's own open_id; undefined while it is not known. */
  readonly botId: string | undefined;
  /** Whether a platform message is one of ours. */
  readonly isOurs: (messageId: string) => boolean;
}

/** Undefined for events that are no person's message. */
export function decodeEvent(body: EventBody, parts: DecodeParts): InboundMessage | undefined {
  const type = body.header?.event_type;
  if (type === "im.message.recalled_v1") return recallOf(body, parts);
  if (type !== "im.message.receive_v1") return undefined;
  const { sender, message } = body.event as MessageEvent;
  const { message_id: id, chat_id: chat, chat_type: chatType, message_type: kind = "", content = "" } = message ?? {};
  if (sender?.sender_type === "app" || !id || !chat) return undefined;
  const raw = textOf(kind, content);
  if (raw === undefined) return undefined;
  const { text, isMentioned } = withNames(raw, message?.mentions ?? [], parts.botId);
  const attachments = attachmentsOf(id, kind, content);
  if (text === "" && attachments.length === 0 && !isMentioned) return undefined;
  const isGroup = chatType === "group";
  const repliesToUs = message?.parent_id !== undefined && parts.isOurs(message.parent_id);
  return {
    ...baseOf(parts, chat, isGroup, body),
    kind: "message",
    sender: { id: sender?.sender_id?.open_id ?? "", name: "", isAdmin: false },
    text,
    attachments,
    addressed: !isGroup || isMentioned || repliesToUs,
    // One message may be announced under two event ids.
    dedupeKey: `${parts.appId}:msg:${id}`,
    platformMessageId: id,
    ...(message?.parent_id && { replyTo: message.parent_id }),
    ...timeOf(message?.create_time),
  };
}

function attachmentsOf(message: string, kind: string, content: string): readonly Attachment[] {
  return filesOf(kind, content).map(({ kind: type, name, key, type: asked }) => ({
    type,
    url: channelFileUrl({ message, key, type: asked }),
    ...(name !== undefined && { name }),
  }));
}

function recallOf(body: EventBody, parts: DecodeParts): InboundMessage | undefined {
  const { message_id: id, chat_id: chat } = (body.event ?? {}) as {
    readonly message_id?: string;
    readonly chat_id?: string;
  };
  if (!id || !chat) return undefined;
  return {
    ...baseOf(parts, chat, false, body),
    kind: "recall",
    sender: { id: "", name: "", isAdmin: false },
    text: "",
    attachments: [],
    addressed: true,
    dedupeKey: `${parts.appId}:recall:${id}`,
    platformMessageId: id,
  };
}

function baseOf({ channelId, appId }: DecodeParts, chat: string, isGroup: boolean, raw: EventBody) {
  return {
    channelId,
    sessionId: sessionIdOf(channelId, chat),
    conversation: { id: chat, isGroup },
    account: appId,
    source: channelId,
    raw,
  };
}

/** Mentions by name; ours is taken out. `@_all` means nobody in particular. */
function withNames(text: string, mentions: readonly Mention[], botId: string | undefined) {
  let left = text;
  let isMentioned = false;
  for (const { key, id, name } of mentions) {
    if (!key) continue;
    const isUs = botId !== undefined && id?.open_id === botId;
    isMentioned ||= isUs;
    left = left.replaceAll(key, isUs ? "" : `@${name ?? ""}`);
  }
  return { text: left.trim(), isMentioned };
}

function timeOf(created: string | undefined): { readonly platformTime?: string } {
  const ms = Number(created);
  return Number.isFinite(ms) && ms > 0 ? { platformTime: new Date(ms).toISOString() } : {};
}
