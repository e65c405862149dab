import Joi from "@hapi/joi";
import { type Attachment, displayName, listQuery, type MessageRole, type Page, type Session } from "@parley/core";

const name = displayName(100);
const shortName = displayName(100).allow("");
const picture = Joi.string().allow("").max(500);
const tags = Joi.array()
  .items(Joi.string().trim().min(1).max(40))
  .max(32)
  .unique((a, b) => String(a).toLowerCase() === String(b).toLowerCase());
const metadata = Joi.object()
  .unknown()
  .custom(atMost(16 * 1024));
const content = Joi.string().allow("").max(32_000);
const timestamp = Joi.string().isoDate();

/** What hangs on a message; other kinds of addresses are refused. */
export const attachment = Joi.object<Attachment>({
  type: Joi.string().valid("image", "audio", "video", "file", "sticker").required(),
  name: Joi.string().max(200),
  mime_type: Joi.string().max(200),
  size: Joi.number().integer().min(0),
  url: Joi.string()
    .max(2000)
    .uri({ scheme: ["https"], allowRelative: true })
    .pattern(
      /^(https:\/\/|\/static\/files\/[^/?#]+$|\/api\/(sessions\/[^/?#]+\/workspace|workspace\/shared)\/files\/[^/?#]+$)/i,
    )
    .required()
    .messages({
      "string.uriCustomScheme": "must be an https address or an uploaded file that exists",
      "string.uri": "must be an https address or an uploaded file that exists",
      "string.uriRelativeCustomScheme": "must be an https address or an uploaded file that exists",
      "string.pattern.base": "must be an https address or an uploaded file that exists",
    }),
  source: Joi.string().max(100),
  meta: Joi.object()
    .unknown()
    .custom(atMost(4 * 1024)),
});
const attachments = Joi.array().items(attachment).max(10);

export type SessionFields = Partial<
  Pick<
    Session,
    | "name"
    | "session_mode"
    | "system_prompt"
    | "sender_name"
    | "sender_avatar"
    | "sender_portrait"
    | "scenario"
    | "first_message"
    | "tags"
    | "favorite"
    | "pinned"
    | "model_id"
    | "metadata"
    | "disabled_prompt_keys"
    | "auto_state_interval"
  >
>;
export interface SessionDraft extends SessionFields {
  readonly character_id?: string | null;
  readonly type?: "web";
}
export interface SessionPatch extends SessionFields {
  readonly proactive_chat?: Partial<Session["proactive_chat"]>;
  readonly tts_config?: Partial<Session["tts_config"]>;
  /** Sent back as they were; a changed value is refused. */
  readonly archived?: boolean;
  readonly is_public?: boolean;
  readonly character_id?: string | null;
  readonly type?: string;
}

const editable = {
  name,
  session_mode: Joi.string().valid("character", "plain"),
  system_prompt: Joi.string().allow("").max(100_000),
  sender_name: shortName,
  sender_avatar: picture,
  sender_portrait: picture,
  scenario: Joi.string().allow("").max(20_000),
  first_message: Joi.string().allow("").max(20_000),
  tags,
  favorite: Joi.boolean(),
  pinned: Joi.boolean(),
  model_id: Joi.string().max(64).allow(null),
  metadata,
};

export const sessionDraft = Joi.object<SessionDraft>({
  ...editable,
  character_id: Joi.string().max(64).allow(null),
  type: Joi.string().valid("web"),
});

export const sessionPatch = Joi.object<SessionPatch>({
  ...editable,
  disabled_prompt_keys: Joi.array()
    .items(Joi.string().pattern(/^\S{1,100}$/, "a key of the prompt"))
    .unique(),
  auto_state_interval: Joi.number().integer().min(0).max(100).allow(null),
  proactive_chat: Joi.object({
    enabled: Joi.boolean(),
    idle_minutes: Joi.number().integer().min(5).max(10_080),
    prompt: Joi.string().allow("").max(4000),
  }),
  tts_config: Joi.object({
    enabled: Joi.boolean(),
    voice: Joi.string().allow("").max(100),
    speed: Joi.number().min(0.25).max(4),
  }),
  archived: Joi.boolean(),
  is_public: Joi.boolean(),
  character_id: Joi.string().allow(null),
  type: Joi.string(),
}).min(1);

export interface SessionQuery extends Page {
  readonly archived: "true" | "false" | "all";
  readonly type?: string;
  readonly channel_id?: string;
  readonly character_id?: string;
  readonly tag?: string;
  readonly favorite?: boolean;
  readonly pinned?: boolean;
  readonly q?: string;
  /** `next_cursor` of a page: what comes after it. */
  readonly cursor?: string;
}
export const sessionQuery = listQuery<SessionQuery>({
  archived: Joi.string().valid("true", "false", "all").default("false"),
  type: Joi.string().max(32),
  channel_id: Joi.string().max(64),
  character_id: Joi.string().max(64),
  tag: Joi.string().max(40),
  favorite: Joi.boolean(),
  pinned: Joi.boolean(),
  q: Joi.string().allow("").max(200),
  cursor: Joi.string().base64({ urlSafe: true, paddingRequired: false }).max(600),
});

export interface BindBody extends SessionFields {
  readonly character_id: string | null;
  readonly add_first_message: boolean;
}
export const bindBody = Joi.object<BindBody>({
  character_id: Joi.string().max(64).allow(null).required(),
  sender_name: shortName,
  sender_avatar: picture,
  sender_portrait: picture,
  scenario: editable.scenario,
  system_prompt: editable.system_prompt,
  add_first_message: Joi.boolean().default(false),
});
export interface ForkBody {
  readonly message_id?: string;
  readonly name?: string;
  readonly include_archive: boolean;
}
export const forkBody = Joi.object<ForkBody>({
  message_id: Joi.string().max(64),
  name,
  include_archive: Joi.boolean().default(true),
});

export interface MessageQuery extends Page {
  readonly order: "asc" | "desc";
  readonly before?: string;
  readonly after?: string;
  readonly role?: MessageRole;
  readonly include_system: boolean;
  readonly include_hidden: boolean;
  readonly q?: string;
}
export const messageQuery = listQuery<MessageQuery>({
  order: Joi.string().valid("asc", "desc").default("asc"),
  before: Joi.string().max(64),
  after: Joi.string().max(64),
  role: Joi.string().valid("user", "assistant", "system"),
  include_system: Joi.boolean().default(false),
  include_hidden: Joi.boolean().default(false),
  q: Joi.string().allow("").max(200),
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
const role = Joi.string().valid("user", "assistant", "system");
const tempId = Joi.string().min(1).max(64);
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
  deliver: Joi.boolean().default(false).description("Says it to the people of the channel, as the bot"),
});

export interface MessagePatch
  extends Partial<
    Pick<MessageDraft, "content" | "role" | "sender" | "timestamp" | "attachments" | "hidden" | "metadata">
  > {
  readonly truncate_after?: boolean;
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

export interface ChatBody {
  readonly content?: string;
  readonly message?: string;
  readonly attachments: readonly Attachment[];
  readonly sender?: string;
  readonly sender_id?: string;
  readonly reply_to?: string;
  readonly temp_id?: string;
  readonly wait: boolean;
  readonly deliver: boolean;
}
const wait = Joi.boolean().default(true);
const deliver = Joi.boolean().default(false);
export const chatBody = Joi.object<ChatBody>({
  content,
  message: content,
  attachments: attachments.default([]),
  sender: shortName.min(1),
  sender_id: Joi.string().max(128),
  reply_to: Joi.string().max(64).empty(null),
  temp_id: tempId,
  wait,
  deliver: deliver.description("The answer goes to the people of the channel too"),
});
export interface RegenerateBody {
  readonly message_id?: string;
  readonly wait: boolean;
  readonly deliver: boolean;
}
export const regenerateBody = Joi.object<RegenerateBody>({
  message_id: Joi.string().max(64),
  wait,
  deliver: deliver.description("The new answer goes to the people of the channel too"),
});
export const stopBody = Joi.object<{ readonly session_id: string; readonly trace_id?: string }>({
  session_id: Joi.string().max(200).required(),
  trace_id: Joi.string().max(64),
});

export const compressBody = Joi.object<{ readonly keep_last?: number }>({
  keep_last: Joi.number().integer().min(2).max(100),
});
export const summaryBody = Joi.object<{ readonly max_chars: number; readonly save_memories: boolean }>({
  max_chars: Joi.number().integer().min(50).max(4000).default(800),
  save_memories: Joi.boolean().default(true),
});
export const restoreBody = Joi.object<{ readonly turns?: number; readonly count?: number }>({
  turns: Joi.number().integer().min(1).max(100),
  count: Joi.number().integer().min(1).max(100),
}).oxor("turns", "count");
export const promptBody = Joi.object<{ readonly content: string }>({
  content: Joi.string().trim().min(1).max(20_000).required(),
});

export interface TimelineQuery extends Page {
  readonly order: "asc" | "desc";
  readonly character_id?: string;
}
export const timelineQuery = listQuery<TimelineQuery>({
  order: Joi.string().valid("asc", "desc").default("asc"),
  character_id: Joi.string().max(64),
});
export interface TimelineBody {
  readonly snapshot: { readonly state?: object; readonly relationship?: object };
  readonly character_id?: string;
  readonly message_id?: string;
}
export const timelineBody = Joi.object<TimelineBody>({
  snapshot: Joi.object({ state: Joi.object().unknown().min(1), relationship: Joi.object().unknown().min(1) })
    .or("state", "relationship")
    .required(),
  character_id: Joi.string().max(64),
  message_id: Joi.string().max(64),
});

export interface ExportQuery {
  readonly format: "json" | "markdown";
  readonly include_archive: boolean;
  readonly download: boolean;
}
export const exportQuery = Joi.object<ExportQuery>({
  format: Joi.string().valid("json", "markdown").default("json"),
  include_archive: Joi.boolean().default(true),
  download: Joi.boolean().default(false),
});
export interface ExportAllQuery extends ExportQuery {
  readonly ids?: string;
  readonly archived: "true" | "false" | "all";
}
export const exportAllQuery = Joi.object<ExportAllQuery>({
  ids: Joi.string().allow("").max(60_000),
  archived: Joi.string().valid("true", "false", "all").default("all"),
  format: Joi.string().valid("json").default("json"),
  include_archive: Joi.boolean().default(true),
  download: Joi.boolean().default(false),
});
/** A package or one bare session; what is inside is read session by session. */
export const importBody = Joi.object<Record<string, unknown>>().unknown();

function atMost(bytes: number) {
  return (value: object) => {
    if (JSON.stringify(value).length > bytes) throw new Error(`must not be larger than ${bytes / 1024} KiB`);
    return value;
  };
}
