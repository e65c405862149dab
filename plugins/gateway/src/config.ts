import Joi from "@hapi/joi";

/** `[plugin.gateway]`. */
export interface GatewayConfig {
  readonly dedupe_ttl_s: number;
  readonly error_reply: string;
  readonly limit_reply: string;
  readonly limit_user_per_minute: number;
  readonly limit_conversation_per_minute: number;
  readonly limit_channel_per_minute: number;
}

const perMinute = (most: number, what: string) =>
  Joi.number().integer().min(0).default(most).description(`Messages a minute of one ${what}; 0: no limit`);
const reply = (text: string) => Joi.string().allow("").max(500).default(text);

export const GATEWAY_CONFIG = Joi.object<GatewayConfig, true>({
  dedupe_ttl_s: Joi.number()
    .integer()
    .min(86_400)
    .default(259_200)
    .description("How long copies of a message are recognised, in seconds"),
  error_reply: reply("Sorry, this could not be answered. Please try again later.").description(
    "What people on a channel are told when their message could not be answered; empty: nothing",
  ),
  limit_reply: reply("That was too much at once. Please wait a minute.").description(
    "What people on a channel are told, once a minute, when they write too much; empty: nothing",
  ),
  limit_user_per_minute: perMinute(20, "user"),
  limit_conversation_per_minute: perMinute(60, "conversation"),
  limit_channel_per_minute: perMinute(6_000, "channel"),
});
