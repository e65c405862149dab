import type { Localized } from "./localized.ts";

/** Reasons why a message got no answer, with the text that people read. */
export const UNANSWERED_REASONS = {
  not_addressed: { en: "it was not meant for the bot", zh: "不是对机器人说的" },
  cooldown: { en: "the bot joined in only moments ago", zh: "机器人刚刚主动说过话" },
  hourly_limit: { en: "the bot has joined in often enough this hour", zh: "机器人本小时主动发言已达上限" },
  quiet_hours: { en: "these are quiet hours", zh: "正处于免打扰时段" },
  probability: { en: "chance decided against joining in", zh: "按概率未参与" },
  judge: { en: "the bot judged that it was not meant", zh: "机器人判断不是对它说的" },
  loop_budget: { en: "too many messages of bots in one minute", zh: "一分钟内机器人消息过多" },
  merged: { en: "answered together with a later message", zh: "与之后的消息一并回答" },
  superseded: { en: "a later message of the same person was answered", zh: "已改为回答同一人之后的消息" },
  filtered: { en: "the message filter blocked it", zh: "已被消息过滤拦截" },
  rate_limited: { en: "too many messages in a short time", zh: "短时间内消息过多" },
  denied: { en: "the channel's settings exclude it", zh: "渠道设置不允许回答" },
  paused: { en: "answers are switched off", zh: "已关闭回答" },
  taken_over: { en: "a person has taken over this conversation", zh: "会话已由人工接管" },
  budget: { en: "the budget is used up", zh: "预算已用完" },
  command: { en: "the command needed no answer", zh: "该命令无需回答" },
  ignored_form: { en: "there is nothing in it to answer", zh: "消息中没有可回复的内容" },
  stopped: { en: "a person stopped it", zh: "已被人停止" },
  failed: { en: "the answer failed", zh: "回答失败" },
} as const satisfies Readonly<Record<string, Localized>>;

/** Code of the reason for which a message got no answer. */
export type UnansweredReason = keyof typeof UNANSWERED_REASONS;
