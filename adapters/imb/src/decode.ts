import { type ConversationMove, type InboundMessage, sessionIdOf } from "@parley/core";
import { attachmentsOf } from "./attachments.ts";
import type { BotIdentity, BotMessage, Entity, Update } from "./update.ts";

/** Undefined for what is no person's message: service messages, channel posts, bots. */
export function decodeUpdate(
  channelId: string,
  update: Update,
  me: BotIdentity | undefined,
): InboundMessage | undefined {
  const { callback_query: pressed, message, edited_message: edited } = update;
  if (pressed) {
    if (!pressed.message || pressed.data === undefined || pressed.from?.is_bot) return undefined;
    const base = messageOf(channelId, update, { ...pressed.message, from: pressed.from });
    return { ...base, text: pressed.data, addressed: true };
  }
  const said = message ?? edited;
  if (!said || said.chat.type === "channel" || isOfBot(said)) return undefined;
  const { text, isMeant } = addressing(said, me);
  const described = [text, ...describe(said)].filter((part) => part !== "").join("\n");
  const attachments = attachmentsOf(said);
  if (described === "" && attachments.length === 0) return undefined;
  const isPrivate = said.chat.type === "private";
  const { media_group_id: album } = said;
  return {
    ...messageOf(channelId, update, said),
    kind: edited ? "edit" : "message",
    text: described,
    attachments,
    ...(album !== undefined && !edited && { album: `${said.chat.id}:${album}` }),
    addressed: isPrivate || isMeant,
  };
}

/** A group that was made a supergroup has a new id; told on either side. */
export function moveOf(channelId: string, { message }: Update): Omit<ConversationMove, "channelId"> | undefined {
  if (!message) return undefined;
  const from = String(message.migrate_from_chat_id ?? message.chat.id);
  const to = String(message.migrate_to_chat_id ?? message.chat.id);
  return from === to ? undefined : { from, to, sessionId: sessionIdOf(channelId, from) };
}

function messageOf(channelId: string, update: Update, message: BotMessage): InboundMessage {
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
    sender: senderOf(message),
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

// An anonymous administrator of a group speaks as the group: never one of ours.
function senderOf({ sender_chat: chat, from }: BotMessage): InboundMessage["sender"] {
  if (chat) return { id: `chat:${chat.id}`, name: chat.title ?? "", isAdmin: false };
  const { language_code: language } = from ?? {};
  return {
    id: String(from?.id ?? ""),
    name: from?.username ?? from?.first_name ?? "",
    isAdmin: false,
    ...(language !== undefined && { language: String(language) }),
  };
}

/** Bots never start a turn; who speaks for a group comes under a bot's name. */
function isOfBot({ from, sender_chat }: BotMessage): boolean {
  return from === undefined ? sender_chat === undefined : from.is_bot === true && sender_chat === undefined;
}

/** The text without the mention of us, and whether it is meant for us. */
function addressing(
  message: BotMessage,
  me: BotIdentity | undefined,
): { readonly text: string; readonly isMeant: boolean } {
  const text = message.text ?? message.caption ?? "";
  const entities = message.entities ?? message.caption_entities ?? [];
  let isMeant = me !== undefined && message.reply_to_message?.from?.id === me.id;
  let left = text;
  // From the end, so that earlier offsets stay right.
  for (const entity of entities.toSorted((a, b) => b.offset - a.offset)) {
    const part = text.slice(entity.offset, entity.offset + entity.length);
    const command = entity.type === "bot_command" ? /^(\/[^@]+)@(.+)$/.exec(part) : null;
    if (command && isOurs(command[2] ?? "", me)) {
      isMeant = true;
      left = left.slice(0, entity.offset) + command[1] + left.slice(entity.offset + entity.length);
    } else if (isMention(entity, part, me)) {
      isMeant = true;
      left = left.slice(0, entity.offset) + left.slice(entity.offset + entity.length);
    }
  }
  return { text: left.trim(), isMeant };
}

function isMention({ type, user }: Entity, part: string, me: BotIdentity | undefined): boolean {
  if (me === undefined) return false;
  return type === "text_mention" ? user?.id === me.id : type === "mention" && isOurs(part.slice(1), me);
}

function isOurs(name: string, me: BotIdentity | undefined): boolean {
  return me !== undefined && name.toLowerCase() === me.username.toLowerCase();
}

/** What is neither text nor a file, in a few words; a sticker is a picture and its meaning. */
function describe({ sticker, dice, location, venue, contact, poll }: BotMessage): readonly string[] {
  return [
    sticker && `[sticker ${sticker.emoji ?? ""}]`,
    dice && `[${dice.emoji ?? "dice"} ${dice.value ?? ""}]`,
    venue ? `[place ${venue.title ?? ""}]` : location && `[location ${location.latitude},${location.longitude}]`,
    contact && `[contact ${contact.first_name ?? ""}]`,
    poll && `[poll ${poll.question ?? ""}]`,
  ]
    .filter((part) => typeof part === "string")
    .map((part) => part.replace(/ +\]$/, "]"));
}
