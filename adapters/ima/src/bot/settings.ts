import Joi from "@hapi/joi";
import { withLabel } from "@parley/core";

/** Settings of the official bot's channel. */
export interface BotSettings {
  readonly app_id: string;
  readonly app_secret_env: string;
  readonly sandbox: boolean;
  readonly api_base?: string;
}

export const botSettings = Joi.object<BotSettings, true>({
  app_id: withLabel(Joi.string().allow("").max(64).default(""), {
    title: { en: "App ID", zh: "应用 ID" },
    help: { en: "App ID of the bot", zh: "机器人的 App ID" },
  }),
  app_secret_env: withLabel(Joi.string().default("IMABOT_APP_SECRET"), {
    title: { en: "App secret", zh: "应用密钥" },
    help: { en: "Environment variable with the app's secret", zh: "保存应用密钥的环境变量" },
  }),
  sandbox: withLabel(Joi.boolean().default(false), {
    title: { en: "Sandbox", zh: "沙箱环境" },
    help: { en: "Use the platform's sandbox environment", zh: "使用平台的沙箱环境" },
  }),
  api_base: withLabel(
    Joi.string()
      .uri({ scheme: ["https", "http"] })
      .allow(""),
    {
      title: { en: "API server", zh: "API 服务器" },
      help: {
        en: "Server for tokens and API calls. Empty: the platform's own",
        zh: "获取令牌和调用接口的服务器；留空使用平台默认",
      },
    },
  ),
});

const TOKEN_URL = "https://bots.qq.com/app/getAppAccessToken";
const API = "https://api.sgroup.qq.com";
const SANDBOX_API = "https://sandbox.api.sgroup.qq.com";

export function getApiUrls({ api_base, sandbox }: BotSettings): { readonly token: string; readonly api: string } {
  if (!api_base) return { token: TOKEN_URL, api: sandbox ? SANDBOX_API : API };
  const base = api_base.replace(/\/+$/, "");
  return { token: `${base}/app/getAppAccessToken`, api: base };
}
