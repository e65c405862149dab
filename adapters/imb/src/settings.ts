import Joi from "@hapi/joi";
import { withPattern } from "@parley/core";

/** Settings of an imB channel. */
export interface ImbSettings {
  readonly bot_token_env: string;
  readonly secret_token_env: string;
  readonly webhook_url: string;
  readonly api_base?: string;
  readonly secret_header?: string;
  readonly paced: boolean;
}

export const imbSettings = Joi.object<ImbSettings, true>({
  bot_token_env: Joi.string().default("IMB_BOT_TOKEN").description("Environment variable with the bot's token"),
  secret_token_env: Joi.string()
    .allow("")
    .default("IMB_WEBHOOK_SECRET")
    .description("Environment variable with the secret the platform sends. Empty: not checked"),
  webhook_url: Joi.string()
    .uri({ scheme: "https" })
    .allow("")
    .default("")
    .description("Address registered with the platform"),
  api_base: Joi.string()
    .uri({ scheme: ["https", "http"] })
    .allow("")
    .description("Bot API server. Empty: the platform's own"),
  secret_header: withPattern(Joi.string(), /^[A-Za-z0-9-]{1,64}$/, {
    en: "must be a header name",
    zh: "须为请求头名称",
  })
    .allow("")
    .description("Header of the secret, if a proxy renames it"),
  paced: Joi.boolean()
    .default(true)
    .description(
      "Respect the platform's public limits (25 messages per second, one per second in a chat). Switch off for a server of your own",
    ),
});

const DEFAULT_API_URL = "https://api.telegram.org";

/** Without a slash at the end. */
export function getApiBase({ api_base }: ImbSettings): string {
  return (api_base || DEFAULT_API_URL).replace(/\/+$/, "");
}

export function getWebhookPath(channelId: string): string {
  return `/api/channels/imB/${channelId}/webhook`;
}
