import Joi, { type CustomHelpers } from "@hapi/joi";
import { messageText, reportProblem, setting } from "@parley/core";
import { answerFields, listData, shape } from "@parley/core/http";
import { webTexts } from "../texts.ts";

const { id, text, count, time, anything, word, orNull, texts } = answerFields;
const MAX_CONTEXT_BYTES = 4_096;

export const AVATAR_ENABLED = setting({
  key: "features.avatar",
  schema: Joi.boolean().strict().default(true),
  group: "answering",
  title: { en: "Console companion", zh: "控制台小伙伴" },
  help: {
    en: "It sits in a corner. Everyone can hide it for themselves.",
    zh: "位于角落，每个人可自行隐藏。",
  },
});

/** Context that the page sends. */
export type AvatarContext = Readonly<Record<string, unknown>>;

const limitSize = <Value>(value: Value, helpers: CustomHelpers) =>
  Buffer.byteLength(JSON.stringify(value)) <= MAX_CONTEXT_BYTES
    ? value
    : reportProblem(webTexts.error("bad_request", "context_large"), helpers);
const name = Joi.string().allow("", null).max(500);

const context = {
  frontend: Joi.object<AvatarContext>({
    current_session: name,
    socket_connected: Joi.boolean(),
    current_page: name,
    chat_tab: name,
    is_loading: Joi.boolean(),
  }).custom(limitSize),
  avatar: Joi.object<AvatarContext>({ name, mood: name })
    .pattern(/^\w{1,64}$/, Joi.alternatives(Joi.string().allow(""), Joi.number(), Joi.boolean()).allow(null))
    .custom(limitSize),
};

export interface TalkBody {
  readonly topic?: string;
  readonly frontend?: AvatarContext;
  readonly avatar?: AvatarContext;
}
export const talkBody = Joi.object<TalkBody>({ topic: Joi.string().allow("").max(500), ...context });

export type MenuBody = Pick<TalkBody, "frontend" | "avatar">;
export const menuBody = Joi.object<MenuBody>(context);

export interface CommentBody {
  readonly recent_messages?: readonly { readonly role: "user" | "assistant" | "system"; readonly content: string }[];
  readonly session_id?: string;
}
export const commentBody = Joi.object<CommentBody>({
  recent_messages: Joi.array()
    .items(
      Joi.object({
        role: Joi.string().valid("user", "assistant", "system").required(),
        content: messageText().required(),
      }),
    )
    .min(1)
    .max(20),
  session_id: Joi.string().max(200),
}).or("recent_messages", "session_id");

export const historyQuery = Joi.object<{ limit: number; offset: number }>({
  limit: Joi.number().integer().min(1).max(200).default(20),
  offset: Joi.number().integer().min(0).default(0),
});

export const talkData = shape({
  message: text,
  status: shape({ sessions: count, unread: count, model: orNull(text), channels_down: count }),
  pending: orNull(shape({ tool: text, arguments: anything, confirm_id: id })),
});
export const menuData = shape({ greeting: text, options: texts });
export const resetData = shape({ deleted: count });
export const historyData = listData(
  shape({ id, role: word("user", "assistant"), content: text, timestamp: time }, "AvatarMessage"),
);
export const commentData = shape({ message: orNull(text) });
