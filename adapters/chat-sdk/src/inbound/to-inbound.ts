import { type Attachment, channelFileUrl, type InboundKind, type InboundMessage } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import type { KnownPackage } from "../packages/known-packages.ts";
import type { SdkAdapter } from "../sdk/sdk-adapter.ts";
import type { SdkAttachment, SdkMessage } from "../sdk/sdk-message.ts";

/** Context of a message: its channel and the adapter that parsed it. */
export interface InboundContext {
  readonly channelId: string;
  readonly adapter: Pick<SdkAdapter, "isDM">;
  readonly known: KnownPackage | undefined;
  /** Names by which the bot is mentioned. */
  readonly botNames: readonly string[];
  /** The body as received, for the trace. */
  readonly raw?: unknown;
  /** Distinguishes the edits of a message, where the parsed message does not say when it was edited. */
  readonly edition?: string | undefined;
}

/** Converts a parsed message; undefined for one of the bot itself or of the platform's system. */
export function toInbound(
  { channelId, adapter, known, botNames, raw, edition }: InboundContext,
  kind: InboundKind,
  message: SdkMessage,
): InboundMessage | undefined {
  const { id, threadId, author, metadata, attachments } = message;
  if (author.isMe === true || author.isSystem === true) return undefined;
  const isGroup = !(adapter.isDM?.(threadId) ?? true);
  const sentAt = metadata?.dateSent;
  return {
    channelId,
    sessionId: sessionIdOf(channelId, threadId),
    conversation: { id: threadId, isGroup },
    kind,
    sender: {
      id: author.userId,
      name: author.fullName || author.userName || author.userId,
      isAdmin: false,
      ...(author.isBot === true && { isBot: true as const }),
    },
    text: known?.readText?.(raw) ?? withoutMention(message.text, botNames),
    attachments: attachments.map(toAttachment),
    addressed: !isGroup || message.isMention === true || known?.sendsMentionsOnly === true,
    source: channelId,
    dedupeKey: toDedupeKey(kind, message, edition),
    platformMessageId: id,
    ...(isTime(sentAt) && { platformTime: sentAt.toISOString() }),
    ...(raw !== undefined && { raw }),
  };
}

/** Returns a key that is equal for every copy of an event: an edit is another event than its message. */
function toDedupeKey(kind: InboundKind, { id, threadId, text, metadata }: SdkMessage, given?: string): string {
  const edition = isTime(metadata?.editedAt) ? metadata.editedAt.toISOString() : text.slice(0, 100);
  return kind === "message" ? `${threadId} ${id}` : `${kind} ${threadId} ${id} ${given ?? edition}`;
}

function isTime(value: Date | undefined): value is Date {
  return value !== undefined && !Number.isNaN(value.getTime());
}

/** Removes the mention of the bot from the beginning of a text; elsewhere it belongs to the sentence. */
function withoutMention(text: string, botNames: readonly string[]): string {
  const start = text.trimStart();
  const mention = botNames.flatMap((name) => [`<@${name}>`, `@${name}`]).find((one) => start.startsWith(one));
  return mention === undefined ? text : start.slice(mention.length).replace(/^[,:]?\s+/, "");
}

const TYPES: readonly Attachment["type"][] = ["image", "audio", "video", "file"];

/** Converts a file to a reference that the adapter fetches it by, or to its address when it has no reference. */
function toAttachment({ type, url, name, mimeType, size, fetchMetadata }: SdkAttachment): Attachment {
  const reference = { ...fetchMetadata, ...(url && { sdk_url: url }), ...(mimeType && { sdk_type: mimeType }) };
  return {
    type: TYPES.find((one) => one === type) ?? "file",
    url: channelFileUrl(reference),
    ...(name && { name }),
    ...(mimeType && { mime_type: mimeType }),
    ...(size && { size }),
  };
}
