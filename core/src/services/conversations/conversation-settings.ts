import Joi, { type Schema, type SchemaMap } from "@hapi/joi";
import { withLabel } from "../../resource/field-schemas.ts";
import { withPattern } from "../../validation/validation-error.ts";

const TIME_OF_DAY = String.raw`([01]\d|2[0-3]):[0-5]\d`;
const timeRange = withPattern(Joi.string().allow(""), new RegExp(`^${TIME_OF_DAY}-${TIME_OF_DAY}$`), {
  en: "must be a range such as 22:00-07:00",
  zh: "须为时间段，例如 22:00-07:00",
});
const timeOfDay = withPattern(Joi.string().allow(""), new RegExp(`^${TIME_OF_DAY}$`), {
  en: "must be a time such as 04:00",
  zh: "须为时间，例如 04:00",
});

/**
 * Settings of a channel that each of its conversations may override. They have no defaults here: where neither the
 * conversation nor the channel sets one, the kind of conversation decides.
 */
export const CONVERSATION_SETTINGS = {
  group_trigger: withLabel(
    Joi.string().valid("mention", "keywords", "probability", "judge", "listen", "all", "never"),
    {
      section: "when",
      title: { en: "In groups", zh: "群聊中" },
      help: { en: "When it answers in groups", zh: "在群里何时回答" },
      options: {
        mention: { en: "when mentioned or replied to", zh: "被提及或被回复时" },
        keywords: { en: "also when a wake word is in the message", zh: "消息中出现唤醒词时也回答" },
        probability: { en: "also now and then, by chance", zh: "也会偶尔随机插话" },
        judge: { en: "also when it has something to add", zh: "觉得该说话时也会插话" },
        listen: { en: "when mentioned; it reads everything", zh: "被提及时回答，但会留意所有消息" },
        all: { en: "always", zh: "总是" },
        never: { en: "commands only", zh: "仅命令" },
      },
    },
  ),
  group_probability: withLabel(Joi.number().min(0).max(1), {
    section: "when",
    title: { en: "Chance of joining in", zh: "插话概率" },
    help: {
      en: "From 0 to 1, for “now and then, by chance”. Default: 0.05",
      zh: "0 到 1，用于“偶尔随机插话”；默认 0.05",
    },
  }),
  group_cooldown_s: withLabel(Joi.number().integer().min(0).max(3_600), {
    section: "when",
    title: { en: "Pause after joining in (seconds)", zh: "插话间隔（秒）" },
    help: {
      en: "Shortest time between two answers nobody asked for. Default: 30",
      zh: "两次主动插话之间的最短时间；默认 30",
    },
  }),
  group_hourly_limit: withLabel(Joi.number().integer().min(0).max(100), {
    section: "when",
    title: { en: "Joins in per hour", zh: "每小时插话次数" },
    help: { en: "Answers nobody asked for, at most. Default: 6", zh: "主动插话的次数上限；默认 6" },
  }),
  quiet_hours: withLabel(timeRange, {
    section: "when",
    title: { en: "Quiet hours", zh: "免打扰时段" },
    help: {
      en: "Such as 22:00-07:00. Then it only answers people who address it",
      zh: "例如 22:00-07:00；此时只回答直接找它的人",
    },
  }),
  burst: withLabel(Joi.string().valid("off", "wait", "interrupt"), {
    section: "when",
    title: { en: "Several quick messages", zh: "连续发来多条消息时" },
    help: {
      en: "How quick messages get one answer. Default: starts over in private chats of platforms, waits in groups, answers each elsewhere",
      zh: "如何把连续的消息合并回答；默认：平台私聊重新开始，群聊稍等，其他逐条回答",
    },
    options: {
      off: { en: "answer each", zh: "逐条回答" },
      wait: { en: "wait until the person has finished", zh: "等对方说完再回答" },
      interrupt: { en: "begin at once, start over when more comes", zh: "立即开始，来了新消息就重新回答" },
    },
  }),
  burst_ms: withLabel(Joi.number().integer().min(300).max(10_000).allow(0), {
    section: "when",
    title: { en: "Wait for more (milliseconds)", zh: "等待后续消息（毫秒）" },
    help: {
      en: "300 to 10,000. 0: by the message and how the person writes. Default: 0",
      zh: "300 到 10000；0 表示按消息和对方的习惯决定；默认 0",
    },
  }),
  reply_style: withLabel(Joi.string().valid("whole", "sentences"), {
    section: "how",
    title: { en: "Sends answers", zh: "发送方式" },
    help: {
      en: "As one message, or like a person writes; always as one where it is shown while it is written. Default: as one",
      zh: "整条发送，或像真人一样分条发送；边生成边显示时总是整条；默认整条",
    },
    options: {
      whole: { en: "as one message", zh: "整条发送" },
      sentences: { en: "in short messages with pauses", zh: "分成几条短消息，稍有停顿" },
    },
  }),
  reset_after_idle_h: withLabel(Joi.number().integer().min(0).max(720), {
    section: "how",
    title: { en: "Begins anew after (hours)", zh: "闲置多久后重新开始（小时）" },
    help: {
      en: "Hours without a message after which the next one begins a new conversation. 0: never",
      zh: "超过这么久没有消息，下一条消息将开始新的对话；0 表示从不",
    },
  }),
  reset_daily_at: withLabel(timeOfDay, {
    section: "how",
    title: { en: "Begins anew daily at", zh: "每天重新开始的时间" },
    help: {
      en: "Such as 04:00: the first message after it begins a new conversation. Empty: never",
      zh: "例如 04:00：此后的第一条消息将开始新的对话；留空表示从不",
    },
  }),
} satisfies SchemaMap;

/** Key of a channel setting that conversations may override. */
export type ConversationSetting = keyof typeof CONVERSATION_SETTINGS;
/** Keys of the settings that conversations may override, in the order of the form. */
export const CONVERSATION_SETTING_KEYS = Object.keys(CONVERSATION_SETTINGS) as readonly ConversationSetting[];

/** Schemas of a conversation's own settings; null: the setting of its channel. */
export const OWN_CONVERSATION_SETTINGS = Object.fromEntries(
  CONVERSATION_SETTING_KEYS.map((key) => [key, CONVERSATION_SETTINGS[key].allow(null)]),
) as Readonly<Record<ConversationSetting, Schema>>;

/** Rule for which messages of a group are answered, besides commands. All but `never` include `mention`. */
export type GroupTrigger = "mention" | "keywords" | "probability" | "judge" | "listen" | "all" | "never";
/** Treatment of a message that follows another one within the quiet time. */
export type BurstMode = "off" | "wait" | "interrupt";

/** Form in which an answer is sent: as one message, or in several with pauses. */
export type ReplyStyle = "whole" | "sentences";

/** Values of the settings that conversations may override; units as in the names. */
export interface ConversationSettings {
  readonly group_trigger: GroupTrigger;
  readonly group_probability: number;
  readonly group_cooldown_s: number;
  readonly group_hourly_limit: number;
  /** `HH:MM-HH:MM` in the channel's time zone; empty for none. */
  readonly quiet_hours: string;
  readonly burst: BurstMode;
  /** 0: chosen for each message. */
  readonly burst_ms: number;
  readonly reply_style: ReplyStyle;
  /** 0: never. */
  readonly reset_after_idle_h: number;
  /** `HH:MM` in the channel's time zone; empty: never. */
  readonly reset_daily_at: string;
}

/** Own settings of a conversation; null or absent: those of its channel. */
export type OwnConversationSettings = { readonly [Key in ConversationSetting]?: ConversationSettings[Key] | null };

const DEFAULTS: ConversationSettings = {
  group_trigger: "mention",
  group_probability: 0.05,
  group_cooldown_s: 30,
  group_hourly_limit: 6,
  quiet_hours: "",
  burst: "off",
  burst_ms: 0,
  reply_style: "whole",
  reset_after_idle_h: 0,
  reset_daily_at: "",
};
/** Types of channels whose callers send one request after the other, so that each message is answered. */
const REQUEST_TYPES: ReadonlySet<string> = new Set(["web", "generic"]);

/** Kind of a conversation, for its defaults. */
export interface ConversationKind {
  /** Type of its channel, such as `imB`. */
  readonly channelType: string;
  readonly isGroup: boolean;
}

/** Returns the settings that hold in a conversation: its own or its channel's, else the defaults of its kind. */
export function resolveConversationSettings(
  values: OwnConversationSettings,
  { channelType, isGroup }: ConversationKind,
): ConversationSettings {
  const set = CONVERSATION_SETTING_KEYS.flatMap((key) => {
    const value = values[key];
    return value === null || value === undefined ? [] : [[key, value]];
  });
  const platformBurst = isGroup ? "wait" : "interrupt";
  const burst = REQUEST_TYPES.has(channelType) ? "off" : platformBurst;
  return { ...DEFAULTS, burst, ...Object.fromEntries(set) };
}
