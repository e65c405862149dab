import Joi, { type ObjectSchema } from "@hapi/joi";
import type { MessageRole } from "@parley/core";
import { answerFields, shape } from "@parley/core/http";

/** Scope and expiry of a publication. */
export interface ShareOptions {
  readonly expires_days: number;
  /** True to include the character's name, pictures and scenario. */
  readonly include_character: boolean;
  /** False to include only messages of the assistant. */
  readonly include_user_messages: boolean;
  /** True to include the names of the people who wrote. */
  readonly include_names: boolean;
  /** True to include pictures and other files. */
  readonly include_files: boolean;
  /** Positions of the first and last message among the visible ones, from 1. */
  readonly message_start: number | null;
  readonly message_end: number | null;
}

/** Options of a publication. Without `password` the current one stays; null removes it. */
export type ShareDraft = ShareOptions & { readonly password?: string | null };

const createPositionSchema = () => Joi.number().integer().min(1).allow(null).default(null);

export const shareBody: ObjectSchema<ShareDraft> = Joi.object<ShareDraft>({
  expires_days: Joi.number().integer().min(1).max(365).default(30),
  include_character: Joi.boolean().default(true),
  include_user_messages: Joi.boolean().default(true),
  include_names: Joi.boolean().default(true),
  include_files: Joi.boolean().default(true),
  message_start: createPositionSchema(),
  message_end: createPositionSchema(),
  password: Joi.string().min(4).max(128).allow(null),
});

/** A publication as its owner sees it. */
export interface Publication {
  readonly is_public: true;
  readonly public_id: string;
  readonly public_url: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string;
  readonly options: ShareOptions;
  readonly password_required: boolean;
  readonly view_count: number;
}
export const UNPUBLISHED = { is_public: false } as const;

/** A message as it was when it was published. */
export interface SharedMessage {
  /** Position in the publication from 1; internal ids are not exposed. */
  readonly id: string;
  readonly role: MessageRole;
  readonly content: string;
  readonly timestamp: string;
  readonly sender: string;
  readonly attachments: readonly SharedFile[];
}

export interface SharedFile {
  readonly type: string;
  readonly name: string;
  readonly url: string;
  readonly mime_type: string;
  readonly size: number;
}

/** Content of a publication. File URLs are internal; readers get signed ones. */
export interface Snapshot {
  readonly name: string;
  readonly sender_name: string;
  readonly sender_avatar: string;
  readonly sender_portrait: string;
  readonly scenario: string;
  readonly created_at: string;
  readonly messages: readonly SharedMessage[];
}

/** The beginning of a publication, and its number of messages. */
export interface Preview extends Snapshot {
  readonly message_count: number;
}

/** A publication in the form for its readers. */
export interface SharedSession extends Snapshot {
  readonly published_at: string;
  readonly expires_at: string;
}

const { text, id, time, flag, count, orNull, listOf, word } = answerFields;

export const publicationData = shape(
  {
    is_public: Joi.valid(true),
    public_id: id,
    public_url: text,
    created_at: time,
    updated_at: time,
    expires_at: time,
    options: shape({
      expires_days: count,
      include_character: flag,
      include_user_messages: flag,
      include_names: flag,
      include_files: flag,
      message_start: orNull(count),
      message_end: orNull(count),
    }),
    password_required: flag,
    view_count: count,
  },
  "Publication",
);
export const unpublishedData = shape({ is_public: Joi.valid(false) }, "Unpublished");

const sharedMessages = listOf(
  shape(
    {
      id,
      role: word("user", "assistant"),
      content: text,
      timestamp: time,
      sender: text,
      attachments: listOf(shape({ type: text, name: text, url: text, mime_type: text, size: count }, "SharedFile")),
    },
    "SharedMessage",
  ),
);
const snapshot = {
  name: text,
  sender_name: text,
  sender_avatar: text,
  sender_portrait: text,
  scenario: text,
  created_at: time,
  messages: sharedMessages,
};

export const sharedSession = shape({ ...snapshot, published_at: time, expires_at: time }, "SharedSession");
export const sharePreview = shape({ ...snapshot, message_count: count }, "SharePreview");
