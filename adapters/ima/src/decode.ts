import { type InboundMessage, sessionIdOf } from "@parley/core";
import { type BridgeEvent, idOf, isObject } from "./frame.ts";
import { attachmentOf } from "./media.ts";
import { readSegments, segmentsOf } from "./segments.ts";

export interface DecodeParts {
  readonly channelId: string;
  readonly selfId: string;
  /** Whether a platform message is one of ours. */
  readonly isOurs: (messageId: string) => boolean;
}

/** Undefined for what is no person's message: our own, notices, requests, nothing that can be shown. */
export function decodeEvent(event: BridgeEvent, parts: DecodeParts): InboundMessage | undefined {
  if (event.self_id !== undefined && idOf(event.self_id) !== parts.selfId) return undefined;
  if (event.post_type === "message") return messageOf(event, parts);
  if (event.post_type === "notice") return recallOf(event, parts);
  return undefined;
}

const ID = /^[^_:]+$/;

interface Whereabouts {
  /** `group:<id>` or `private:<id>`. */
  readonly conversation: string;
  readonly isGroup: boolean;
}

function whereabouts(event: BridgeEvent): Whereabouts | undefined {
  const group = idOf(event.group_id);
  const user = idOf(event.user_id);
  // A temporary private talk comes with its group's id: it is private all the same. Notices have no type.
  const type = event.message_type ?? (event.post_type === "notice" && (group === "" ? "private" : "group"));
  if (type === "private" && ID.test(user)) return { conversation: `private:${user}`, isGroup: false };
  if (type === "group" && ID.test(group)) return { conversation: `group:${group}`, isGroup: true };
  return undefined;
}

function messageOf(event: BridgeEvent, { channelId, selfId, isOurs }: DecodeParts): InboundMessage | undefined {
  const user = idOf(event.user_id);
  const place = whereabouts(event);
  if (!place || user === selfId || event.sub_type === "notice") return undefined;
  const { text, files, replyTo, mentionsUs, hasContent, unknown } = readSegments(segmentsOf(event.message), selfId);
  const messageId = idOf(event.message_id);
  const addressed = !place.isGroup || mentionsUs || (replyTo !== undefined && isOurs(replyTo));
  const isNothing = !hasContent && !mentionsUs && (unknown === undefined || !addressed);
  if (isNothing || messageId === "" || user === "") return undefined;
  return {
    ...baseOf(event, place, channelId, selfId),
    kind: "message",
    sender: senderOf(event, user),
    text: hasContent ? text : "",
    ...(!hasContent && unknown !== undefined && { unreadable: unknown }),
    attachments: files.map((file) => attachmentOf(file, place.conversation)),
    addressed,
    dedupeKey: `${selfId}:${place.conversation}:${messageId}`,
    platformMessageId: messageId,
    ...(replyTo !== undefined && { replyTo }),
  };
}

function recallOf(event: BridgeEvent, { channelId, selfId }: DecodeParts): InboundMessage | undefined {
  const isRecall = event.notice_type === "group_recall" || event.notice_type === "friend_recall";
  const place = whereabouts(event);
  const messageId = idOf(event.message_id);
  if (!isRecall || !place || messageId === "" || idOf(event.user_id) === selfId) return undefined;
  return {
    ...baseOf(event, place, channelId, selfId),
    kind: "recall",
    sender: senderOf(event, idOf(event.user_id)),
    text: "",
    attachments: [],
    addressed: true,
    dedupeKey: `${selfId}:${place.conversation}:${messageId}:recall`,
    platformMessageId: messageId,
  };
}

function baseOf(event: BridgeEvent, { conversation, isGroup }: Whereabouts, channelId: string, selfId: string) {
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

// Who is anonymous is nobody's administrator.
function senderOf({ sender, anonymous }: BridgeEvent, user: string): InboundMessage["sender"] {
  if (isObject(anonymous)) return { id: `anon:${idOf(anonymous.id)}`, name: idOf(anonymous.name), isAdmin: false };
  const given = isObject(sender) ? sender : {};
  return { id: user, name: idOf(given.card) || idOf(given.nickname), isAdmin: false };
}
