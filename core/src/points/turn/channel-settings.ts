import Joi, { type Schema, type SchemaMap, type StringSchema } from "@hapi/joi";
import { withLabel } from "../../resource/field-schemas.ts";
import { CONVERSATION_SETTINGS } from "../../services/conversations/conversation-settings.ts";
import { listAddedLanguages } from "../../text-registry.ts";

const idList = Joi.array().items(Joi.string().trim().min(1).max(128)).max(1_000).unique().default([]);
const wakeWords = Joi.array().items(Joi.string().trim().min(1).max(40)).max(20).unique().default([]);
const optionalChoice = Joi.string().allow("").max(64);
const ratePerMinute = Joi.number().integer().min(0);

/** Minimum time to remember dedupe keys, because platforms repeat a message for up to a day. */
export const MIN_DEDUPE_S = 86_400;

/** Settings common to all channels, independent of the adapter. */
export const COMMON_SETTINGS = {
  ...CONVERSATION_SETTINGS,
  group_trigger: CONVERSATION_SETTINGS.group_trigger.default("mention"),
  wake_words: withLabel(wakeWords, {
    section: "when",
    title: { en: "Wake words", zh: "唤醒词" },
    help: {
      en: "In groups, it also answers messages that begin with one of these, such as its name. No effect where it only answers commands",
      zh: "群聊中，以这些词（如机器人的名字）开头的消息也会得到回复；仅回复命令时无效",
    },
  }),
  timezone: withLabel(Joi.string().allow("").max(64).custom(checkTimeZone), {
    section: "when",
    title: { en: "Time zone", zh: "时区" },
    help: {
      en: "For quiet hours and the daily new beginning, such as Europe/Berlin. Empty: the service's",
      zh: "用于免打扰时段和每日重新开始，例如 Asia/Shanghai；留空则使用服务的时区",
    },
  }),
  language: createLanguageSetting(),
  model_id: withLabel(optionalChoice, {
    section: "how",
    title: { en: "Model", zh: "模型" },
    help: {
      en: "Used on this channel, unless a conversation has its own model",
      zh: "用于此渠道的回复；会话自行选择的模型优先",
    },
    record: "model",
  }),
  character_id: withLabel(optionalChoice, {
    section: "how",
    title: { en: "Character", zh: "角色" },
    help: {
      en: "Used on this channel, unless a conversation has its own character",
      zh: "在此渠道发言；会话自行绑定的角色优先",
    },
    record: "character",
  }),
  allow: withLabel(idList, {
    section: "when",
    title: { en: "Answer only", zh: "仅回答" },
    help: {
      en: "IDs of users and conversations to answer. Empty: everyone",
      zh: "允许回答的用户和会话 ID；留空表示全部",
    },
  }),
  deny: withLabel(idList, {
    section: "when",
    title: { en: "Never answer", zh: "从不回答" },
    help: {
      en: "IDs of users and conversations never to answer, not even their commands",
      zh: "从不回答的用户和会话 ID，命令也不回答",
    },
  }),
  rate_limits: withLabel(
    Joi.object({
      user: withLabel(ratePerMinute, { title: { en: "Per user", zh: "每个用户" } }),
      conversation: withLabel(ratePerMinute, { title: { en: "Per conversation", zh: "每个会话" } }),
      ip: withLabel(ratePerMinute, { title: { en: "Per address", zh: "每个地址" } }),
      channel: withLabel(ratePerMinute, { title: { en: "Whole channel", zh: "整个渠道" } }),
    }).default({}),
    {
      section: "cost",
      title: { en: "Messages per minute", zh: "每分钟消息数" },
      help: {
        en: "Messages per minute. 0: no limit. The limit per address is for webhooks without a secret",
        zh: "每分钟消息数；0 表示不限。按地址的限制仅用于没有密钥的 Webhook",
      },
    },
  ),
  dedupe_ttl_s: withLabel(Joi.number().integer().min(MIN_DEDUPE_S).max(2_592_000).default(259_200), {
    title: { en: "Recognise duplicates for (seconds)", zh: "重复消息识别时长（秒）" },
    help: {
      en: "Seconds in which duplicates are recognised. At least one day",
      zh: "在多少秒内识别重复消息，至少一天",
    },
  }),
  on_unknown: withLabel(Joi.string().valid("review", "resend", "drop").default("review"), {
    title: { en: "Replies with unconfirmed delivery", zh: "不确定是否送达的回复" },
    help: { en: "What to do with a reply that may or may not have been delivered", zh: "不确定是否送达的回复如何处理" },
    options: {
      review: { en: "ask a person", zh: "人工确认" },
      resend: { en: "send it again", zh: "重发" },
      drop: { en: "give up", zh: "放弃" },
    },
  }),
} satisfies SchemaMap;
/** Throws for a name that is no IANA time zone. */
function checkTimeZone(name: string): string {
  new Intl.DateTimeFormat("en", { timeZone: name });
  return name;
}

/** Key of a common channel setting. */
export type CommonSetting = keyof typeof COMMON_SETTINGS;

/** Returns the common settings; their languages include those that the operator has added. */
export function listCommonSettings(): Readonly<Record<CommonSetting, Schema>> {
  return { ...COMMON_SETTINGS, language: createLanguageSetting([...listAddedLanguages()]) };
}

function createLanguageSetting(
  added: readonly (readonly [code: string, { readonly name: string }])[] = [],
): StringSchema {
  const codes = added.map(([code]) => code);
  return withLabel(
    Joi.string()
      .valid("auto", "en", "zh", ...codes)
      .default("auto"),
    {
      section: "how",
      title: { en: "Language", zh: "语言" },
      help: {
        en: "Language of the service itself on this channel: replies to commands, and messages when something goes wrong",
        zh: "服务自身在此渠道使用的语言：命令的回复，以及出错时的提示",
      },
      options: {
        auto: { en: "same as the sender", zh: "跟随发送者" },
        en: { en: "English", zh: "English" },
        zh: { en: "中文", zh: "中文" },
        ...Object.fromEntries(added.map(([code, { name }]) => [code, { en: name, zh: name }])),
      },
    },
  );
}
