import Joi from "@hapi/joi";
import { type Attachment, displayName, type MessageRole } from "@parley/core";
import { listQuery, type Page } from "@parley/core/http";
import { attachments, content, metadata, role, shortName, tempId, timestamp } from "./fields.ts";

export interface MessageQuery extends Page {
  readonly order: "asc" | "desc";
  readonly before?: string;
  readonly after?: string;
  readonly role?: MessageRole;
  readonly include_system: boolean;
  readonly include_hidden: boolean;
  readonly archived?: boolean;
  readonly q?: string;
}
export const messageQuery = listQuery<MessageQuery>({
  order: Joi.string().valid("asc", "desc").default("asc"),
  before: Joi.string().max(64),
  after: Joi.string().max(64),
  role: Joi.string().valid("user", "assistant", "system"),
  include_system: Joi.boolean().default(false),
  include_hidden: Joi.boolean().default(false),
  archived: Joi.boolean().default(false).description("Only the messages that a summary replaces"),
  q: Joi.string().allow("").max(200),
});

export interface SearchQuery extends Page {
  readonly q?: string;
  readonly rating?: "good" | "bad";
  readonly session_id?: string;
  readonly archived: "true" | "false" | "all";
}
export const searchQuery = listQuery<SearchQuery>({
  q: Joi.string().min(1).max(200),
  rating: Joi.string().valid("good", "bad"),
  session_id: Joi.string().max(200),
  archived: Joi.string().valid("true", "false", "all").default("false"),
}).or("q", "rating");

export interface RatingBody {
  readonly rating: "good" | "bad" | null;
}
export const ratingBody = Joi.object<RatingBody, true>({
  rating: Joi.string().valid("good", "bad").allow(null).required(),
});

export interface MessageDraft {
  readonly content: string;
  readonly role: MessageRole;
  readonly sender?: string;
  readonly sender_id?: string;
  readonly attachments: readonly Attachment[];
  readonly reply_to?: string;
  readonly timestamp?: string;
  readonly insert_index?: number;
  readonly hidden: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly temp_id?: string;
  readonly deliver: boolean;
}
export const messageDraft = Joi.object<MessageDraft>({
  content: content.default(""),
  role: role.default("user"),
  sender: shortName,
  sender_id: Joi.string().max(128),
  attachments: attachments.default([]),
  reply_to: Joi.string().max(64).empty(null),
  timestamp,
  insert_index: Joi.number().integer().min(0),
  hidden: Joi.boolean().default(false),
  metadata: metadata.default({}),
  temp_id: tempId,
  deliver: Joi.boolean().default(false).description("Sends the message to the people of the channel as the bot"),
});

export interface MessagePatch
  extends Partial<
    Pick<MessageDraft, "content" | "role" | "sender" | "timestamp" | "attachments" | "hidden" | "metadata">
  > {
  readonly truncate_after?: boolean;
  readonly as_branch?: boolean;
}
export const messagePatch = Joi.object<MessagePatch>({
  content,
  role,
  sender: shortName,
  timestamp,
  attachments,
  hidden: Joi.boolean(),
  metadata,
  truncate_after: Joi.boolean(),
  as_branch: Joi.boolean().description(
    "The change stands at the end; the message as it was and what follows it become a branch",
  ),
}).min(1);
export const clearQuery = Joi.object<{ readonly include_archive: boolean }>({
  include_archive: Joi.boolean().default(false),
});

export interface FavoriteBody {
  readonly message_ids: readonly string[];
  readonly title?: string;
  readonly collection_id?: string;
}
export const favoriteBody = Joi.object<FavoriteBody>({
  message_ids: Joi.array().items(Joi.string().max(64)).max(200).required(),
  title: displayName(80),
  collection_id: Joi.string().max(64),
});
