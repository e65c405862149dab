import type { InboundMessage } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import { isObject } from "@parley/core/json";
import { type BridgeEvent, toIdText } from "../bridge/frame.ts";
import { toAttachment } from "./media.ts";
import { readSegments, toSegments } from "./segments.ts";

export interface DecodeContext {
  readonly channelId: string;
  readonly selfId: string;
  /** Returns true when this service sent the message. */
  readonly isOwnMessage: (messageId: string) => boolean;
}

/** Decodes a message or its recall; undefined for other events and accounts, and for messages that are our own or empty. */
export function decodeEvent(event: BridgeEvent, context: DecodeContext): InboundMessage | undefined {
  if (event.self_id !== undefined && toIdText(event.self_id) !== context.selfId) return undefined;
  if (event.post_type === "message") return toInboundMessage(event, context);
  if (event.post_type === "notice") return toRecallMessage(event, context);
  return undefined;
}

const ID_PATTERN = /^[^_:]+$/;

interface ConversationRef {
  /** Conversation id: `group:<id>` or `private:<id>`. */
  readonly conversation: string;
  readonly isGroup: boolean;
}

function toConversationRef(event: BridgeEvent): ConversationRef | undefined {
  const group = toIdText(event.group_id);
  const user = toIdText(event.user_id);
  // A temporary private chat has a group id too. Notices have no type.
  const type = event.message_type ?? (event.post_type === "notice" && (group === "" ? "private" : "group"));
  if (type === "private" && ID_PATTERN.test(user)) return { conversation: `private:${user}`, isGroup: false };
  if (type === "group" && ID_PATTERN.test(group)) return { conversation: `group:${group}`, isGroup: true };
  return undefined;
}

function toInboundMessage(
  event: BridgeEvent,
  { channelId, selfId, isOwnMessage }: DecodeContext,
): InboundMessage | undefined {
  const user = toIdText(event.user_id);
  const place = toConversationRef(event);
  if (!place || user === selfId || event.sub_type === "notice") return undefined;
  const { text, files, replyTo, mentionsUs, hasContent, unknown } = readSegments(
    toSegments(event.message ?? event.raw_message),
    selfId,
  );
  const messageId = toIdText(event.message_id);
  const addressed = !place.isGroup || mentionsUs || (replyTo !== undefined && isOwnMessage(replyTo));
  const isNothing = !hasContent && !mentionsUs && (unknown === undefined || !addressed);
  if (isNothing || messageId === "" || user === "") return undefined;
  return {
    ...toBaseMessage(event, place, channelId, selfId),
    kind: "message",
    sender: toSender(event, user),
    text: hasContent ? text : "",
    ...(!hasContent && unknown !== undefined && { unreadable: unknown }),
    attachments: files.map((file) => toAttachment(file, place.conversation)),
    addressed,
    dedupeKey: `${selfId}:${place.conversation}:${messageId}`,
    platformMessageId: messageId,
    ...(replyTo !== undefined && { replyTo }),
  };
}

function toRecallMessage(event: BridgeEvent, { channelId, selfId }: DecodeContext): InboundMessage | undefined {
  const isRecall = event.notice_type === "group_recall" || event.notice_type === "friend_recall";
  const place = toConversationRef(event);
  const messageId = toIdText(event.message_id);
  if (!isRecall || !place || messageId === "" || toIdText(event.user_id) === selfId) return undefined;
  return {
    ...toBaseMessage(event, place, channelId, selfId),
    kind: "recall",
    sender: toSender(event, toIdText(event.user_id)),
    text: "",
    attachments: [],
    addressed: true,
    dedupeKey: `${selfId}:${place.conversation}:${messageId}:recall`,
    platformMessageId: messageId,
  };
}

function toBaseMessage(
  event: BridgeEvent,
  { conversation, isGroup }: ConversationRef,
  channelId: string,
  selfId: string,
) {
  const seconds = Number(event.time);
  return {
    channelId,
    sessionId: sessionIdOf(channelId, conversation),
    conversation: { id: conversation, isGroup },
    account: selfId,
    source: channelId,
    raw: event,
    ...(Number.isFinite(seconds) && seconds > 0 && { platformTime: new Date(seconds * 1_000).toISOString() }),
  };
}

// The prefix keeps an anonymous sender from having the id of an account. The service decides who is an administrator.
function toSender({ sender, anonymous }: BridgeEvent, user: string): InboundMessage["sender"] {
  if (isObject(anonymous))
    return { id: `anon:${toIdText(anonymous.id)}`, name: toIdText(anonymous.name), isAdmin: false };
  const given = isObject(sender) ? sender : {};
  return { id: user, name: toIdText(given.card) || toIdText(given.nickname), isAdmin: false };
}
