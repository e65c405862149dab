import Joi from "@hapi/joi";
import { type Localized, MIN_DEDUPE_S, withLabel } from "@parley/core";

/** Settings of the section `[plugin.gateway]`. */
export interface GatewayConfig {
  readonly dedupe_ttl_s: number;
  /** Default: `ERROR_REPLY` in the reader's language. */
  readonly error_reply?: string;
  /** Default: `CUT_REPLY` in the reader's language. */
  readonly cut_reply?: string;
  /** Default: `SLOW_REPLY` in the reader's language. */
  readonly slow_reply?: string;
  /** Default: `LIMIT_REPLY` in the reader's language. */
  readonly limit_reply?: string;
  readonly limit_user_per_minute: number;
  readonly limit_conversation_per_minute: number;
  readonly limit_channel_per_minute: number;
  readonly limit_address_per_minute: number;
}

const perMinute = (most: number, title: Localized) =>
  withLabel(Joi.number().integer().min(0).default(most), { title, help: { en: "0: no limit", zh: "0 表示不限" } });
const reply = () => Joi.string().allow("").max(500);

/** Reply when a message could not be answered, used where the operator has configured none. */
export const ERROR_REPLY: Localized = {
  en: "Sorry, this could not be answered. Please try again later.",
  zh: "抱歉，暂时无法回答，请稍后再试。",
};
export const CUT_REPLY: Localized = {
  en: "(The answer broke off here. Please ask again.)",
  zh: "（回答在此中断，请重新提问。）",
};
export const SLOW_REPLY: Localized = {
  en: "This is taking longer than usual. One moment, please.",
  zh: "这次需要的时间较长，请稍候。",
};
export const LIMIT_REPLY: Localized = {
  en: "That was too many messages at once. Please wait a minute.",
  zh: "消息过于频繁，请一分钟后再试。",
};

export const GATEWAY_CONFIG = Joi.object<GatewayConfig, true>({
  dedupe_ttl_s: withLabel(Joi.number().integer().min(MIN_DEDUPE_S).default(259_200), {
    title: { en: "Recognise duplicates for (seconds)", zh: "重复消息识别时长（秒）" },
    help: { en: "Seconds in which duplicates of a message are recognised", zh: "在多少秒内识别重复消息" },
  }),
  error_reply: withLabel(reply(), {
    title: { en: "Reply when answering fails", zh: "无法回答时的回复" },
    help: {
      en: "Reply on a channel when a message could not be answered. Empty: none; not set: a sentence in the reader's language",
      zh: "无法回答时告知渠道用户的文字；留空则不告知；未设置时使用对方语言的默认文字",
    },
  }),
  cut_reply: withLabel(reply(), {
    title: { en: "Note below an answer that broke off", zh: "回答中断时的提示" },
    help: {
      en: "Text below an answer that breaks off on a channel. Empty: only …; not set: a sentence in the reader's language",
      zh: "渠道上的回答中断时，附在其下方的提示；留空则仅以 … 结尾；未设置时使用对方语言的默认文字",
    },
  }),
  slow_reply: withLabel(reply(), {
    title: { en: "Word when an answer takes longer", zh: "回答较慢时的提示" },
    help: {
      en: "Message on a channel, once, when no part of an answer appears within 8 seconds. Empty: none; not set: a sentence in the reader's language",
      zh: "8 秒后仍没有回答时，在渠道上提示一次；留空则不提示；未设置时使用对方语言的默认文字",
    },
  }),
  limit_reply: withLabel(reply(), {
    title: { en: "Reply when someone writes too much", zh: "消息过多时的回复" },
    help: {
      en: "Reply on a channel, once a minute, when someone writes too much. Empty: none; not set: a sentence in the reader's language",
      zh: "消息过多时告知渠道用户的文字，每分钟最多一次；留空则不告知；未设置时使用对方语言的默认文字",
    },
  }),
  limit_user_per_minute: perMinute(20, { en: "Messages per minute and user", zh: "每个用户每分钟消息数" }),
  limit_conversation_per_minute: perMinute(60, {
    en: "Messages per minute and conversation",
    zh: "每个会话每分钟消息数",
  }),
  limit_channel_per_minute: perMinute(6_000, { en: "Messages per minute and channel", zh: "每个渠道每分钟消息数" }),
  limit_address_per_minute: perMinute(60, {
    en: "Messages per minute and address, on webhooks without a secret",
    zh: "没有密钥的 Webhook 上每个地址每分钟消息数",
  }),
});
