import Joi from "@hapi/joi";
import { withLabel, withPattern } from "@parley/core";

export interface ImbSettings {
  readonly bot_token_env: string;
  readonly secret_token_env: string;
  readonly webhook_url: string;
  readonly api_base?: string;
  readonly secret_header?: string;
  readonly paced: boolean;
}

export const imbSettings = Joi.object<ImbSettings, true>({
  bot_token_env: withLabel(Joi.string().default("IMB_BOT_TOKEN"), {
    title: { en: "Bot token", zh: "机器人令牌" },
    help: { en: "Environment variable with the bot's token", zh: "保存机器人令牌的环境变量" },
  }),
  secret_token_env: withLabel(Joi.string().allow("").default("IMB_WEBHOOK_SECRET"), {
    title: { en: "Webhook secret", zh: "Webhook 密钥" },
    transports: ["webhook"],
    help: {
      en: "Environment variable with the secret the platform sends. Empty: not checked",
      zh: "保存平台所带密钥的环境变量；留空则不校验",
    },
  }),
  webhook_url: withLabel(Joi.string().uri({ scheme: "https" }).allow("").default(""), {
    title: { en: "Webhook address", zh: "Webhook 地址" },
    transports: ["webhook"],
    help: { en: "Address registered with the platform", zh: "在平台注册的地址" },
  }),
  api_base: withLabel(
    Joi.string()
      .uri({ scheme: ["https", "http"] })
      .allow(""),
    {
      title: { en: "API server", zh: "API 服务器" },
      help: { en: "Bot API server. Empty: the platform's own", zh: "Bot API 服务器；留空使用平台默认" },
    },
  ),
  secret_header: withLabel(
    withPattern(Joi.string(), /^[A-Za-z0-9-]{1,64}$/, {
      en: "must be a header name",
      zh: "须为请求头名称",
    }).allow(""),
    {
      title: { en: "Secret header", zh: "密钥请求头" },
      transports: ["webhook"],
      help: { en: "Header of the secret, if a proxy renames it", zh: "携带密钥的请求头，仅在代理改名时填写" },
    },
  ),
  paced: withLabel(Joi.boolean().default(true), {
    title: { en: "Respect the platform's rate limits", zh: "遵守平台限速" },
    help: {
      en: "Respect the platform's public limits (25 messages per second, one per second in a chat). Switch off for a server of your own",
      zh: "遵守平台的公开限速（每秒 25 条，每个会话每秒 1 条）；使用自建服务器时可关闭",
    },
  }),
});

const DEFAULT_API_URL = "https://api.telegram.org";

/** Returns the address of the API without a slash at the end. */
export function getApiBase({ api_base }: ImbSettings): string {
  return (api_base || DEFAULT_API_URL).replace(/\/+$/, "");
}

export function getWebhookPath(channelId: string): string {
  return `/api/channels/imB/${channelId}/webhook`;
}
