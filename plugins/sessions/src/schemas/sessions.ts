import Joi from "@hapi/joi";
import {
  type ConversationSetting,
  MAX_SESSION_CHARACTERS,
  OWN_CONVERSATION_SETTINGS,
  type Session,
  withPattern,
} from "@parley/core";
import { listQuery, type Page } from "@parley/core/http";
import { folder, metadata, name, picture, shortName, tags } from "./fields.ts";

export type SessionFields = Partial<
  Pick<
    Session,
    | "name"
    | "character_ids"
    | "speaker_order"
    | "session_mode"
    | "system_prompt"
    | "sender_name"
    | "sender_avatar"
    | "sender_portrait"
    | "scenario"
    | "first_message"
    | "tags"
    | "folder"
    | "favorite"
    | "pinned"
    | "model_id"
    | "persona_id"
    | "parameters"
    | "metadata"
    | "disabled_prompt_keys"
    | "auto_state_interval"
    | ConversationSetting
  >
>;
export interface SessionDraft extends SessionFields {
  readonly is_temporary?: boolean;
  readonly character_id?: string | null;
  readonly type?: "web";
}
export interface SessionPatch extends SessionFields {
  readonly proactive_chat?: Partial<Session["proactive_chat"]>;
  readonly tts_config?: Partial<Session["tts_config"]>;
  /** False turns a temporary conversation into a permanent one. */
  readonly is_temporary?: boolean;
  /** Accepted only if it equals the current value. */
  readonly archived?: boolean;
  readonly is_public?: boolean;
  readonly character_id?: string | null;
  readonly type?: string;
}

const characterIds = Joi.array().items(Joi.string().max(64)).unique();

const editableFields = {
  name,
  character_ids: characterIds
    .max(MAX_SESSION_CHARACTERS)
    .description("Characters that share the conversation; character_id is the first of them"),
  speaker_order: Joi.string()
    .valid("mention", "round", "judge")
    .description("Which of several characters answers: the named one, the next one, or the one a model picks"),
  session_mode: Joi.string().valid("character", "plain"),
  system_prompt: Joi.string().allow("").max(100_000),
  sender_name: shortName,
  sender_avatar: picture,
  sender_portrait: picture,
  scenario: Joi.string().allow("").max(20_000),
  first_message: Joi.string().allow("").max(20_000),
  tags,
  folder,
  favorite: Joi.boolean(),
  pinned: Joi.boolean(),
  model_id: Joi.string().max(64).allow(null),
  persona_id: Joi.string().max(64).allow(null),
  parameters: Joi.object({
    temperature: Joi.number().min(0).max(2).allow(null).default(null),
    max_tokens: Joi.number().integer().min(1).max(1_000_000).allow(null).default(null),
  }),
  metadata,
  ...OWN_CONVERSATION_SETTINGS,
};

export const sessionDraft = Joi.object<SessionDraft>({
  ...editableFields,
  character_id: Joi.string().max(64).allow(null),
  type: Joi.string().valid("web"),
  is_temporary: Joi.boolean().description("Deleted with all its data one hour after the last message"),
});

export const sessionPatch = Joi.object<SessionPatch>({
  ...editableFields,
  disabled_prompt_keys: Joi.array()
    .items(withPattern(Joi.string(), /^\S{1,100}$/, { en: "must be a key of the prompt", zh: "须为提示词的键" }))
    .unique(),
  auto_state_interval: Joi.number().integer().min(0).max(100).allow(null),
  proactive_chat: Joi.object({
    enabled: Joi.boolean(),
    idle_minutes: Joi.number().integer().min(5).max(10_080),
    prompt: Joi.string().allow("").max(4000),
    daily_limit: Joi.number().integer().min(1).max(10),
  }),
  tts_config: Joi.object({
    enabled: Joi.boolean(),
    voice: Joi.string().allow("").max(100),
    speed: Joi.number().min(0.25).max(4),
  }),
  is_temporary: Joi.boolean().description("False turns a temporary conversation into a permanent one"),
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
  readonly folder?: string;
  readonly favorite?: boolean;
  readonly pinned?: boolean;
  readonly q?: string;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string;
}
export const sessionQuery = listQuery<SessionQuery>({
  archived: Joi.string().valid("true", "false", "all").default("false"),
  type: Joi.string().max(32),
  channel_id: Joi.string().max(64),
  character_id: Joi.string().max(64),
  tag: Joi.string().max(40),
  folder: Joi.string().max(60),
  favorite: Joi.boolean(),
  pinned: Joi.boolean(),
  q: Joi.string().allow("").max(200),
  cursor: Joi.string().base64({ urlSafe: true, paddingRequired: false }).max(600),
});

export interface FolderChange {
  readonly folder: string;
  readonly name: string;
}
export const folderChange = Joi.object<FolderChange, true>({
  folder: Joi.string().trim().min(1).max(60).required(),
  name: folder.required().description("New name; an empty name removes the conversations from the folder"),
});

export interface SceneBody {
  readonly present: readonly string[];
}
export const sceneBody = Joi.object<SceneBody>({
  present: characterIds.min(1).required().description("Ids of the characters that are present from now on"),
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
  scenario: editableFields.scenario,
  system_prompt: editableFields.system_prompt,
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
