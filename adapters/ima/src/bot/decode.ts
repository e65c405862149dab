import type { Attachment, InboundMessage } from "@parley/core";
import { formatContent, sessionIdOf } from "@parley/core/channels";

/** A frame or webhook body of the platform. */
export interface BotFrame {
  readonly op: number;
  readonly s?: number;
  readonly t?: string;
  readonly id?: string;
  readonly d?: Readonly<Record<string, unknown>>;
}

interface MessageData {
  readonly id?: string;
  readonly content?: string;
  readonly timestamp?: string;
  readonly group_openid?: string;
  readonly channel_id?: string;
  readonly guild_id?: string;
  readonly author?: {
    readonly user_openid?: string;
    readonly member_openid?: string;
    readonly id?: string;
    readonly username?: string;
    readonly bot?: boolean;
  };
  readonly mentions?: readonly { readonly id?: string; readonly username?: string; readonly bot?: boolean }[];
  readonly message_reference?: { readonly message_id?: string };
  readonly attachments?: readonly {
    readonly content_type?: string;
    readonly filename?: string;
    readonly url?: string;
    readonly size?: number;
  }[];
}

/** Fields of content that cannot be read. */
const UNREADABLE_KINDS = ["ark", "embeds", "markdown", "keyboard"] as const;

/** Conversation of a message by event type; groups only send messages that mention the bot. */
const CONVERSATION_BY_EVENT: Readonly<
  Record<string, (data: MessageData) => readonly [conversation: string | undefined, isGroup: boolean]>
> = {
  C2C_MESSAGE_CREATE: ({ author }) => [author?.user_openid && `private:${author.user_openid}`, false],
  GROUP_AT_MESSAGE_CREATE: ({ group_openid }) => [group_openid && `group:${group_openid}`, true],
  AT_MESSAGE_CREATE: ({ channel_id }) => [channel_id && `guild:${channel_id}`, true],
  DIRECT_MESSAGE_CREATE: ({ guild_id }) => [guild_id && `dm:${guild_id}`, false],
};

/** Decodes a message; undefined for events that are no person's message, and for private messages of nothing but white space or mentions. */
export function decodeBotEvent(channelId: string, appId: string, frame: BotFrame): InboundMessage | undefined {
  const data = (frame.d ?? {}) as MessageData;
  const [conversation, isGroup] = CONVERSATION_BY_EVENT[frame.t ?? ""]?.(data) ?? [undefined, false];
  const { author, id } = data;
  if (conversation === undefined || !id || author?.bot) return undefined;
  const attachments = toAttachments(data.attachments ?? []);
  const text = toText(data.content ?? "", data.mentions);
  const replyTo = data.message_reference?.message_id;
  // The platform omits content that it cannot pass on, so an empty private message is not blank. In a group, an empty text is a mention of the bot.
  const isEmpty = text === "" && attachments.length === 0 && !isGroup;
  if (isEmpty && data.content) return undefined;
  const at = Date.parse(data.timestamp ?? "");
  return {
    channelId,
    sessionId: sessionIdOf(channelId, conversation),
    conversation: { id: conversation, isGroup },
    kind: "message",
    sender: {
      id: author?.member_openid ?? author?.user_openid ?? author?.id ?? "",
      name: author?.username ?? "",
      isAdmin: false,
    },
    text,
    attachments,
    ...(isEmpty && { unreadable: UNREADABLE_KINDS.find((kind) => kind in data) ?? "message" }),
    addressed: true,
    account: appId,
    source: channelId,
    dedupeKey: `${appId}:${id}`,
    platformMessageId: id,
    ...(replyTo && { replyTo }),
    raw: frame,
    ...(Number.isFinite(at) && { platformTime: new Date(at).toISOString() }),
  };
}

/** Returns the text without the mention of the bot; other mentions and the platform's emoji become names. */
function toText(content: string, mentions: MessageData["mentions"] = []): string {
  const names = new Map(mentions.filter(({ bot }) => !bot).map(({ id, username }) => [id, username]));
  return content
    .replaceAll(/<@!?(\w+)>/g, (_sign, id: string) => (names.get(id) ? `@${names.get(id)}` : ""))
    .replaceAll(/<emoji:(\d+)>/g, (_sign, id: string) => formatContent("face", id))
    .replaceAll(/<faceType=\d+,faceId="(\d*)"(?:,ext="([^"]*)")?>/g, (_sign, id: string, ext = "") =>
      formatContent("face", decodeFaceName(ext) || id),
    )
    .replaceAll(/&(lt|gt|amp);/g, (_sign, name: string) => ESCAPED[name] ?? "")
    .trim();
}

/** Characters that the platform escapes because its markup uses them. */
const ESCAPED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&" };

function decodeFaceName(ext: string): string {
  try {
    const { text } = JSON.parse(Buffer.from(ext, "base64").toString("utf8")) as { readonly text?: unknown };
    return typeof text === "string" ? text.replace(/^\[(.*)\]$/, "$1") : "";
  } catch {
    return "";
  }
}

/** Converts attachments with public addresses, which sometimes lack a scheme. */
function toAttachments(attachments: NonNullable<MessageData["attachments"]>): readonly Attachment[] {
  return attachments
    .filter(({ url }) => typeof url === "string" && url !== "")
    .map(({ content_type: type = "", filename: name, url = "", size }) => ({
      type: toAttachmentType(type),
      url: /^https?:\/\//.test(url) ? url : `https://${url.replace(/^\/\//, "")}`,
      ...(name && { name: name.slice(0, 200) }),
      ...(typeof size === "number" && { size }),
    }));
}

function toAttachmentType(type: string): Attachment["type"] {
  if (type.startsWith("image")) return "image";
  if (type.startsWith("voice") || type.startsWith("audio")) return "audio";
  return type.startsWith("video") ? "video" : "file";
}
