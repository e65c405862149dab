import Joi from "@hapi/joi";
import { type Localized, MIN_DEDUPE_S } from "@parley/core";

/** `[plugin.gateway]`. */
export interface GatewayConfig {
  readonly dedupe_ttl_s: number;
  /** Default: `ERROR_REPLY`. */
  readonly error_reply?: string;
  /** Default: `CUT_REPLY`. */
  readonly cut_reply?: string;
  /** Default: `SLOW_REPLY`. */
  readonly slow_reply?: string;
  /** Default: `LIMIT_REPLY`. */
  readonly limit_reply?: string;
  readonly limit_user_per_minute: number;
  readonly limit_conversation_per_minute: number;
  readonly limit_channel_per_minute: number;
  readonly limit_address_per_minute: number;
}

const perMinute = (most: number, what: string) =>
  Joi.number().integer().min(0).default(most).description(`Messages per minute and ${what}. 0: no limit`);
const reply = () => Joi.string().allow("").max(500);

/** The reply to an error in the user's language, where the operator has set none. */
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
  dedupe_ttl_s: Joi.number()
    .integer()
    .min(MIN_DEDUPE_S)
    .default(259_200)
    .description("Seconds in which duplicates of a message are recognised"),
  error_reply: reply().description(
    "Reply on a channel when a message could not be answered. Empty: none; not set: a sentence in the reader's language",
  ),
  cut_reply: reply().description(
    "Text below an answer that breaks off on a channel. Empty: only …; not set: a sentence in the reader's language",
  ),
  slow_reply: reply().description(
    "Message on a channel, once, when no part of an answer appears within 8 seconds. Empty: none; not set: a sentence in the reader's language",
  ),
  limit_reply: reply().description(
    "Reply on a channel, once a minute, when someone writes too much. Empty: none; not set: a sentence in the reader's language",
  ),
  limit_user_per_minute: perMinute(20, "user"),
  limit_conversation_per_minute: perMinute(60, "conversation"),
  limit_channel_per_minute: perMinute(6_000, "channel"),
  limit_address_per_minute: perMinute(60, "address, on webhooks without a secret"),
});
