import Joi from "@hapi/joi";

/** Settings of the official bot's channel. */
export interface BotSettings {
  readonly app_id: string;
  readonly app_secret_env: string;
  readonly sandbox: boolean;
  readonly api_base?: string;
}

export const botSettings = Joi.object<BotSettings, true>({
  app_id: Joi.string().allow("").max(64).default("").description("App ID of the bot"),
  app_secret_env: Joi.string().default("IMABOT_APP_SECRET").description("Environment variable with the app's secret"),
  sandbox: Joi.boolean().default(false).description("Use the platform's sandbox environment"),
  api_base: Joi.string()
    .uri({ scheme: ["https", "http"] })
    .allow("")
    .description("Server for tokens and API calls. Empty: the platform's own"),
});

const TOKEN_URL = "https://bots.qq.com/app/getAppAccessToken";
const API = "https://api.sgroup.qq.com";
const SANDBOX_API = "https://sandbox.api.sgroup.qq.com";

export function getApiUrls({ api_base, sandbox }: BotSettings): { readonly token: string; readonly api: string } {
  if (!api_base) return { token: TOKEN_URL, api: sandbox ? SANDBOX_API : API };
  const base = api_base.replace(/\/+$/, "");
  return { token: `${base}/app/getAppAccessToken`, api: base };
}
