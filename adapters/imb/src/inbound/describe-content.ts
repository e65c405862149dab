import { formatContent } from "@parley/core/channels";
import type { BotMessage, ForwardOrigin, NamedChat } from "./update.ts";

/** Describes content other than texts and files, such as places and polls, in words. */
export function describeContent(message: Partial<BotMessage>): readonly string[] {
  const { sticker, dice, location, venue, contact, poll, game, checklist, invoice, paid_media } = message;
  const contents = [
    sticker && formatContent("sticker", sticker.emoji),
    dice && formatContent("dice", dice.emoji, dice.value),
    venue && formatContent("place", joinParts(venue.title, venue.address)),
    !venue && location && formatContent("location", `${location.latitude},${location.longitude}`),
    contact && formatContent("contact", contact.first_name, contact.last_name, contact.phone_number),
    poll && formatContent("poll", poll.question, poll.description, formatOptions(poll)),
    checklist?.title && formatContent("checklist", checklist.title, formatTasks(checklist.tasks)),
    invoice && formatContent("invoice", joinParts(invoice.title, invoice.description), formatPrice(invoice)),
    paid_media?.paid_media && formatContent("paid files", ...paid_media.paid_media.map(({ type }) => type)),
    game && formatContent("game", joinParts(game.title, game.description, game.text)),
  ];
  return [...contents, ...describeEvents(message), ...describeButtons(message)].filter(
    (part) => typeof part === "string",
  );
}

/** Describes what the platform shows in a chat besides messages of people. */
function describeEvents({ story, giveaway, giveaway_winners: won, gift, ...message }: Partial<BotMessage>) {
  const { users_shared: people, chat_shared: chat } = message;
  const winners = won?.winners?.map(getChatName) ?? [];
  const endsAt = giveaway?.winners_selection_date;
  return [
    story?.chat && formatContent("story", getChatName(story.chat)),
    giveaway?.winner_count &&
      formatContent(
        "giveaway",
        ...(giveaway.chats ?? []).map(getChatName),
        ...describePrize(giveaway),
        toIsoTime(endsAt),
      ),
    won?.winner_count && formatContent("giveaway", getChatName(won.chat), ...describePrize(won), winners.join(", ")),
    gift && formatContent("gift", gift.gift?.sticker?.emoji, gift.text),
    people?.users && formatContent("shared contact", people.users.map(getChatName).join(", ")),
    chat && formatContent("shared chat", getChatName(chat)),
  ];
}

function describePrize({ prize_description, winner_count, ...prize }: NonNullable<BotMessage["giveaway"]>) {
  const { premium_subscription_month_count: months, prize_star_count: stars } = prize;
  return [
    prize_description,
    months === undefined ? "" : `Premium for ${months} months`,
    stars === undefined ? "" : `${stars} stars`,
    winner_count === undefined ? "" : `${winner_count} winners`,
  ];
}

function describeButtons({ reply_markup: markup }: Partial<BotMessage>): readonly string[] {
  const buttons = markup?.inline_keyboard?.flat() ?? [];
  return buttons.map(({ text, url, web_app, login_url }) =>
    formatContent("button", text, url ?? web_app?.url ?? login_url?.url),
  );
}

function toIsoTime(seconds: number | undefined): string {
  return seconds === undefined || !(seconds > 0 && seconds < 1e11) ? "" : new Date(seconds * 1_000).toISOString();
}

/** Names a chat by its title, or by the name of the person. */
export function getChatName({ title, username, first_name, last_name }: NamedChat = {}): string {
  return title ?? username ?? [first_name, last_name].filter(Boolean).join(" ");
}

/** Formats the options of a poll, with their votes when it is closed. */
function formatOptions({ options = [], is_closed: isClosed }: NonNullable<BotMessage["poll"]>): string {
  const shown = options.filter(({ text = "" }) => text !== "");
  const texts = shown.map(({ text, voter_count: votes }) =>
    isClosed && votes !== undefined ? `${text}: ${votes}` : text,
  );
  return texts.length === 0 ? "" : `(${texts.join(" / ")})`;
}

function formatTasks(tasks: NonNullable<BotMessage["checklist"]>["tasks"] = []): string {
  return tasks.map(({ text = "", completion_date }) => `${completion_date ? "☑" : "☐"} ${text}`).join(" ");
}

/** Formats a price, which the platform counts in the smallest unit of the currency. */
function formatPrice({ currency = "", total_amount }: NonNullable<BotMessage["invoice"]>): string {
  if (total_amount === undefined || !/^[A-Z]{3}$/.test(currency)) return "";
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency: currency === "XTR" ? "JPY" : currency,
  }).resolvedOptions();
  return `${(total_amount / 10 ** digits).toFixed(digits)} ${currency}`;
}

function joinParts(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part).join(", ");
}

/** Names the origin of a forwarded message; "" where it was not forwarded. */
export function describeOrigin(message: Partial<BotMessage>): string {
  const origin = message.forward_origin ?? toOrigin(message);
  return origin ? formatContent("forwarded", getOriginName(origin)) : "";
}

/** Returns the origin in the format of older API servers; undefined for a message that was not forwarded. */
function toOrigin(message: Partial<BotMessage>): ForwardOrigin | undefined {
  const { forward_from: user, forward_sender_name: name, forward_from_chat: chat, forward_signature } = message;
  if (!user && !chat && name === undefined) return undefined;
  return {
    ...(user && { sender_user: user }),
    ...(name !== undefined && { sender_user_name: name }),
    ...(chat && { chat }),
    ...(forward_signature !== undefined && { author_signature: forward_signature }),
  };
}

/** Returns the name of a message's origin, with the author whom a chat shows beside its name. */
export function getOriginName({ sender_user, sender_user_name, author_signature, ...origin }: ForwardOrigin): string {
  const chat = origin.chat ?? origin.sender_chat;
  if (!chat) return sender_user_name ?? getChatName(sender_user);
  const name = getChatName(chat);
  return author_signature === undefined ? name : `${name} (${author_signature})`;
}

/** Fields about a message rather than its content. */
const ENVELOPE_FIELDS =
  /^(message_id|message_thread_id|from|sender_\w+|date|edit_date|chat|business_connection_id|via_bot|is_\w+|has_\w+|author_signature|forward_\w+|reply_\w+|external_reply|origin|quote|media_group_id|link_preview_options|effect_id|show_caption_above_media|paid_star_count|direct_messages_topic|suggested_post_info|caption|caption_entities|text|entities)$/;
/** Fields of service messages, which the platform itself adds to a chat. */
const SERVICE_FIELDS =
  /^(new_chat_\w+|left_chat_member|delete_chat_photo|\w+_chat_created|message_auto_delete_timer_changed|migrate_\w+|pinned_message|successful_payment|refunded_payment|connected_website|write_access_allowed|passport_data|proximity_alert_triggered|boost_added|chat_background_set|chat_owner_\w+|checklist_tasks_\w+|forum_topic_\w+|general_forum_topic_\w+|giveaway_created|giveaway_completed|video_chat_\w+|voice_chat_\w+|web_app_data|unique_gift|gift_upgrade_sent|paid_message_price_changed|direct_message_price_changed|suggested_post_\w+|poll_option_\w+)$/;

/** Returns the platform's name of an unsupported kind of content; undefined for service notes. */
export function findUnsupportedKind(message: Partial<BotMessage>): string | undefined {
  const kinds = Object.keys(message).filter((key) => !ENVELOPE_FIELDS.test(key));
  return kinds.some((key) => SERVICE_FIELDS.test(key)) ? undefined : kinds[0];
}
