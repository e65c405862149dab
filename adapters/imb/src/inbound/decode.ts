import {
  type Attachment,
  type ConversationMove,
  type InboundMessage,
  type InboundPress,
  parsePress,
} from "@parley/core";
import { formatContent, formatLink, formatQuote, sessionIdOf } from "@parley/core/channels";
import { toAttachments } from "./attachments.ts";
import {
  describeContent,
  describeOrigin,
  findUnsupportedKind,
  getChatName,
  getOriginName,
} from "./describe-content.ts";
import type { BotIdentity, BotMessage, Entity, Update } from "./update.ts";

/** Decodes an update; undefined for anything but a message by a person. */
export function decodeUpdate(
  channelId: string,
  update: Update,
  me: BotIdentity | undefined,
): InboundMessage | undefined {
  const { callback_query: pressed, message, edited_message: edited } = update;
  if (pressed) {
    if (!pressed.message || pressed.data === undefined || pressed.from?.is_bot) return undefined;
    // The timestamp is that of the message with the button.
    const { date: _date, ...message } = pressed.message;
    const base = toInboundMessage(channelId, update, { ...message, from: pressed.from });
    return { ...base, text: pressed.data, addressed: true };
  }
  const botMessage = message ?? edited;
  if (!botMessage || botMessage.chat.type === "channel" || isFromBot(botMessage)) return undefined;
  const { text, isMeant, isMentioned } = readAddressing(botMessage, me);
  const described = [describeOrigin(botMessage), text, ...describeContent(botMessage)];
  const whole = described.filter((part) => part !== "").join("\n");
  const attachments = toAttachments(botMessage);
  const isEmpty = whole === "" && attachments.length === 0;
  const isPrivate = botMessage.chat.type === "private";
  const unreadable = isEmpty && (isPrivate || isMeant) ? findUnsupportedKind(botMessage) : undefined;
  if (isEmpty && !isMentioned && unreadable === undefined) return undefined;
  const { media_group_id: album } = botMessage;
  const { quoted, pictures } = toQuote(botMessage);
  return {
    ...toInboundMessage(channelId, update, botMessage),
    kind: edited ? "edit" : "message",
    text: whole,
    attachments: [...attachments, ...pictures],
    ...(quoted !== "" && { quoted }),
    ...(unreadable !== undefined && { unreadable }),
    ...(album !== undefined && !edited && { album: `${botMessage.chat.id}:${album}` }),
    addressed: isPrivate || isMeant,
  };
}

/** Decodes the press of a button that the service sent; undefined for anything else, such as a button of an earlier bot. */
export function decodePress(channelId: string, update: Update): InboundPress | undefined {
  const { id, from, data = "", message: below } = update.callback_query ?? {};
  const press = parsePress(data);
  if (!press || !below || !from || from.is_bot) return undefined;
  const { date: _date, ...message } = below;
  const base = toInboundMessage(channelId, update, { ...message, from });
  return { ...base, kind: "action", press, dedupeKey: `press:${id}` };
}

/** Returns the move of a group that became a supergroup with a new id; sent in both chats. */
export function toConversationMove(
  channelId: string,
  { message }: Update,
): Omit<ConversationMove, "channelId"> | undefined {
  if (!message) return undefined;
  const from = String(message.migrate_from_chat_id ?? message.chat.id);
  const to = String(message.migrate_to_chat_id ?? message.chat.id);
  return from === to ? undefined : { from, to, sessionId: sessionIdOf(channelId, from) };
}

function toInboundMessage(channelId: string, update: Update, message: BotMessage): InboundMessage {
  const { chat, message_id, message_thread_id, is_topic_message, reply_to_message, date } = message;
  const conversation = is_topic_message && message_thread_id ? `${chat.id}:${message_thread_id}` : String(chat.id);
  return {
    channelId,
    sessionId: sessionIdOf(channelId, conversation),
    conversation: {
      id: conversation,
      isGroup: chat.type !== "private",
      ...(chat.title !== undefined && { title: chat.title }),
    },
    kind: "message",
    sender: toSender(message),
    text: "",
    attachments: [],
    addressed: true,
    source: channelId,
    dedupeKey: String(update.update_id),
    platformMessageId: `${chat.id}:${message_id}`,
    ...(reply_to_message && { replyTo: `${chat.id}:${reply_to_message.message_id}` }),
    ...(date !== undefined && { platformTime: new Date(date * 1_000).toISOString() }),
    raw: update,
  };
}

/** Returns the quoted text and images of the replied message. */
function toQuote({
  reply_to_message: inChat,
  external_reply: externalReply,
  reply_to_story: story,
  quote,
  is_topic_message,
  message_thread_id,
}: BotMessage): {
  readonly quoted: string;
  readonly pictures: readonly Attachment[];
} {
  const answered = inChat ?? externalReply;
  if (!answered && story) return { quoted: formatQuote(getChatName(story.chat), formatContent("story")), pictures: [] };
  // In a topic, messages without a reply have the opening note as their reply.
  const isTopic = is_topic_message === true && inChat !== undefined && inChat.message_id === message_thread_id;
  if (!answered || (isTopic && !quote)) return { quoted: "", pictures: [] };
  const files = toAttachments(answered);
  const words = quote?.text === undefined ? describeAnswered(answered, files) : readText(quote, undefined).text;
  const name = inChat ? toSender(inChat).name : getOriginName(externalReply?.origin ?? {});
  return { quoted: formatQuote(name, words), pictures: files.filter(({ type }) => type === "image") };
}

/** Describes a replied message in one line: its origin, text, forms, files and buttons. */
function describeAnswered(answered: Partial<BotMessage>, files: readonly Attachment[]): string {
  const { text } = readText(answered, undefined);
  const notes = files
    .filter(({ type }) => type !== "sticker")
    .map(({ type, name = "" }) => `[${type}${name && ` ${name}`}]`);
  const contents = [text, ...describeContent(answered), ...notes].filter((part) => part !== "");
  const kind = contents.length === 0 ? findUnsupportedKind(answered) : undefined;
  // The platform omits the text of a message in another chat.
  const unread = kind === undefined ? formatContent("message") : `[unsupported: ${kind}]`;
  const isOtherChat = !("from" in answered || "sender_chat" in answered);
  const shown = contents.length > 0 || (kind === undefined && !isOtherChat) ? contents : [unread];
  return [describeOrigin(answered), ...shown].filter((part) => part !== "").join(" ");
}

// An anonymous administrator sends as the group, so is never an operator.
function toSender({ sender_chat: chat, from }: BotMessage): InboundMessage["sender"] {
  if (chat) return { id: `chat:${chat.id}`, name: chat.title ?? "", isAdmin: false };
  const { language_code: language } = from ?? {};
  return {
    id: String(from?.id ?? ""),
    name: from?.username ?? from?.first_name ?? "",
    isAdmin: false,
    ...(language !== undefined && { language: String(language) }),
  };
}

/** True for bots, which never start a turn. A message on behalf of a group also has a bot as its sender. */
function isFromBot({ from, sender_chat }: BotMessage): boolean {
  return from === undefined ? sender_chat === undefined : from.is_bot === true && sender_chat === undefined;
}

/** Removes our mention from the text, and detects whether the bot is addressed. */
function readAddressing(
  message: BotMessage,
  me: BotIdentity | undefined,
): { readonly text: string; readonly isMeant: boolean; readonly isMentioned: boolean } {
  const { text, isMentioned } = readText(message, me);
  const repliesToUs = me !== undefined && message.reply_to_message?.from?.id === me.id;
  return { text, isMeant: isMentioned || repliesToUs, isMentioned };
}

/** Returns the text with its links and without the bot's mention, and whether the bot was mentioned. */
function readText(message: Partial<BotMessage>, me: BotIdentity | undefined) {
  const text = message.text ?? message.caption ?? "";
  const entities = message.entities ?? message.caption_entities ?? [];
  let isMentioned = false;
  let read = "";
  let at = 0;
  // Of two entities with the same start, the longer one is the outer one.
  for (const entity of entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length)) {
    const end = entity.offset + entity.length;
    const part = text.slice(entity.offset, end);
    const found = readEntity(entity, part, me);
    if (!found) continue;
    isMentioned ||= found.isMention;
    // Within an entity already handled, such as a mention in a link.
    if (entity.offset < at) continue;
    read += text.slice(at, entity.offset) + found.text;
    at = end;
  }
  return { text: (read + text.slice(at)).trim(), isMentioned };
}

/** Returns the replacement of one piece of the text; undefined where the piece is plain text. */
function readEntity(
  entity: Entity,
  part: string,
  me: BotIdentity | undefined,
): { readonly text: string; readonly isMention: boolean } | undefined {
  const command = entity.type === "bot_command" ? /^(\/[^@]+)@(.+)$/.exec(part) : null;
  if (command && isOwnUsername(command[2] ?? "", me)) return { text: command[1] ?? "", isMention: true };
  if (entity.type === "text_link") return { text: formatLink(part, entity.url ?? ""), isMention: false };
  return isMention(entity, part, me) ? { text: "", isMention: true } : undefined;
}

function isMention({ type, user }: Entity, part: string, me: BotIdentity | undefined): boolean {
  if (me === undefined) return false;
  return type === "text_mention" ? user?.id === me.id : type === "mention" && isOwnUsername(part.slice(1), me);
}

function isOwnUsername(name: string, me: BotIdentity | undefined): boolean {
  return me !== undefined && name.toLowerCase() === me.username.toLowerCase();
}
