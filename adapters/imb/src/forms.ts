import { formInWords } from "@parley/core";
import type { BotMessage, ForwardOrigin } from "./update.ts";

/** Says in words what is neither text nor a file; a sticker is a picture and its meaning. */
export function describeForms(message: Partial<BotMessage>): readonly string[] {
  const { sticker, dice, location, venue, contact, poll, game, checklist, invoice, paid_media } = message;
  return [
    sticker && formInWords("sticker", sticker.emoji),
    dice && formInWords("dice", dice.emoji, dice.value),
    venue && formInWords("place", joinParts(venue.title, venue.address)),
    !venue && location && formInWords("location", `${location.latitude},${location.longitude}`),
    contact && formInWords("contact", contact.first_name, contact.last_name, contact.phone_number),
    poll && formInWords("poll", poll.question, poll.description, formatOptions(poll.options)),
    checklist?.title && formInWords("checklist", checklist.title, formatTasks(checklist.tasks)),
    invoice && formInWords("invoice", joinParts(invoice.title, invoice.description), formatPrice(invoice)),
    paid_media?.paid_media && formInWords("paid files", ...paid_media.paid_media.map(({ type }) => type)),
    game && formInWords("game", joinParts(game.title, game.description)),
  ].filter((part) => typeof part === "string");
}

function formatOptions(options: NonNullable<BotMessage["poll"]>["options"] = []): string {
  const texts = options.map(({ text = "" }) => text).filter((text) => text !== "");
  return texts.length === 0 ? "" : `(${texts.join(" / ")})`;
}

function formatTasks(tasks: NonNullable<BotMessage["checklist"]>["tasks"] = []): string {
  return tasks.map(({ text = "", completion_date }) => `${completion_date ? "☑" : "☐"} ${text}`).join(" ");
}

/** The price; the platform counts in the smallest unit of the currency, most often hundredths. */
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

/** Where a forwarded message comes from; "" for one that was not forwarded. */
export function describeOrigin(origin: ForwardOrigin | undefined): string {
  return origin ? formInWords("forwarded", getOriginName(origin)) : "";
}

export function getOriginName({ sender_user, sender_user_name, sender_chat, chat }: ForwardOrigin): string {
  return (
    chat?.title ?? sender_chat?.title ?? sender_user_name ?? sender_user?.username ?? sender_user?.first_name ?? ""
  );
}

/** Where, when, by and to whom a message is, and how it is shown. */
const ENVELOPE_FIELDS =
  /^(message_id|message_thread_id|from|sender_\w+|date|edit_date|chat|business_connection_id|via_bot|is_\w+|has_\w+|author_signature|forward_\w+|reply_\w+|external_reply|quote|media_group_id|link_preview_options|effect_id|show_caption_above_media|paid_star_count|direct_messages_topic|suggested_post_info|caption|caption_entities|text|entities)$/;
/** What the platform itself notes in a chat, not what a person says. */
const SERVICE_FIELDS =
  /^(new_chat_\w+|left_chat_member|delete_chat_photo|\w+_chat_created|message_auto_delete_timer_changed|migrate_\w+|pinned_message|successful_payment|refunded_payment|users_shared|chat_shared|connected_website|write_access_allowed|passport_data|proximity_alert_triggered|boost_added|chat_background_set|chat_owner_\w+|checklist_tasks_\w+|forum_topic_\w+|general_forum_topic_\w+|giveaway_created|giveaway_completed|video_chat_\w+|voice_chat_\w+|web_app_data|gift|unique_gift|gift_upgrade_sent|paid_message_price_changed|direct_message_price_changed|suggested_post_\w+|poll_option_\w+)$/;

/** The platform's word for what a message holds that nobody here can read; undefined for its own notes. */
export function findUnsupportedKind(message: BotMessage): string | undefined {
  const kinds = Object.keys(message).filter((key) => !ENVELOPE_FIELDS.test(key));
  return kinds.some((key) => SERVICE_FIELDS.test(key)) ? undefined : kinds[0];
}
