import Joi, { type SchemaMap } from "@hapi/joi";
import { labelled } from "../../resource/field-schemas.ts";
import type { Language } from "../../util/language.ts";

const LANGUAGES: readonly Language[] = ["en", "zh"];
const idList = Joi.array().items(Joi.string().trim().min(1).max(128)).max(1_000).unique().default([]);
const wakeWords = Joi.array().items(Joi.string().trim().min(1).max(40)).max(20).unique().default([]);
const optionalChoice = Joi.string().allow("").max(64);
const ratePerMinute = Joi.number().integer().min(0);

/** Platforms repeat a message for up to a day. */
export const MIN_DEDUPE_S = 86_400;

/** Settings common to all channels, independent of the adapter. */
export const COMMON_SETTINGS = {
  group_trigger: labelled(Joi.string().valid("mention", "all", "never").default("mention"), {
    title: { en: "In groups", zh: "群聊中" },
    help: { en: "When it answers in groups", zh: "在群里何时回答" },
    options: {
      mention: { en: "when mentioned or replied to", zh: "被提及或被回复时" },
      all: { en: "always", zh: "总是" },
      never: { en: "commands only", zh: "仅命令" },
    },
  }),
  wake_words: labelled(wakeWords, {
    title: { en: "Wake words", zh: "唤醒词" },
    help: {
      en: "In groups, it also answers messages that begin with one of these, such as its name. No effect where it only answers commands",
      zh: "群聊中，以这些词（如机器人的名字）开头的消息也会得到回复；仅回复命令时无效",
    },
  }),
  language: labelled(
    Joi.string()
      .valid("auto", ...LANGUAGES)
      .default("auto"),
    {
      title: { en: "Language", zh: "语言" },
      help: {
        en: "Language of the service itself on this channel: replies to commands, and messages when something goes wrong",
        zh: "服务自身在此渠道使用的语言：命令的回复，以及出错时的提示",
      },
      options: {
        auto: { en: "same as the sender", zh: "跟随发送者" },
        en: { en: "English", zh: "English" },
        zh: { en: "中文", zh: "中文" },
      },
    },
  ),
  model_id: labelled(optionalChoice, {
    title: { en: "Model", zh: "模型" },
    help: {
      en: "Used on this channel, unless a conversation has its own model",
      zh: "用于此渠道的回复；会话自行选择的模型优先",
    },
    record: "model",
  }),
  character_id: labelled(optionalChoice, {
    title: { en: "Character", zh: "角色" },
    help: {
      en: "Used on this channel, unless a conversation has its own character",
      zh: "在此渠道发言；会话自行绑定的角色优先",
    },
    record: "character",
  }),
  allow: idList.description("IDs of users and conversations to answer. Empty: everyone"),
  deny: idList.description("IDs of users and conversations never to answer, not even their commands"),
  rate_limits: Joi.object({
    user: ratePerMinute,
    conversation: ratePerMinute,
    ip: ratePerMinute,
    channel: ratePerMinute,
  })
    .default({})
    .description("Messages per minute. 0: no limit. The limit per address is for webhooks without a secret"),
  dedupe_ttl_s: Joi.number()
    .integer()
    .min(MIN_DEDUPE_S)
    .max(2_592_000)
    .default(259_200)
    .description("Seconds in which duplicates are recognised. At least one day"),
  on_unknown: labelled(Joi.string().valid("review", "resend", "drop").default("review"), {
    title: { en: "Replies with unconfirmed delivery", zh: "不确定是否送达的回复" },
    help: { en: "What to do with a reply that may or may not have been delivered", zh: "不确定是否送达的回复如何处理" },
    options: {
      review: { en: "ask a person", zh: "人工确认" },
      resend: { en: "send it again", zh: "重发" },
      drop: { en: "give up", zh: "放弃" },
    },
  }),
} satisfies SchemaMap;
/** Key of a common channel setting. */
export type CommonSetting = keyof typeof COMMON_SETTINGS;
