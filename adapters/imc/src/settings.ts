import Joi from "@hapi/joi";
import { withLabel } from "@parley/core";

/** Settings of an imC channel. */
export interface ImcSettings {
  readonly app_id: string;
  readonly app_secret_env: string;
  readonly encrypt_key_env: string;
  readonly verification_token_env: string;
  readonly webhook_url: string;
  readonly region: "cn" | "intl";
  readonly api_base?: string;
}

const variableSchema = (name: string) => Joi.string().allow("").default(name);

export const imcSettings = Joi.object<ImcSettings, true>({
  app_id: withLabel(Joi.string().allow("").max(64).default(""), {
    title: { en: "App ID", zh: "应用 ID" },
    help: { en: "The app ID. Empty: the variable IMC_APP_ID", zh: "应用 ID；留空则使用环境变量 IMC_APP_ID" },
  }),
  app_secret_env: withLabel(variableSchema("IMC_APP_SECRET"), {
    title: { en: "App secret", zh: "应用密钥" },
    help: { en: "Environment variable with the app's secret", zh: "保存应用密钥的环境变量" },
  }),
  encrypt_key_env: withLabel(variableSchema("IMC_ENCRYPT_KEY"), {
    title: { en: "Encrypt key", zh: "加密密钥" },
    help: {
      en: "Environment variable with the encrypt key. Empty: events are neither encrypted nor signed",
      zh: "保存加密密钥的环境变量；留空则事件不加密、不签名",
    },
  }),
  verification_token_env: withLabel(variableSchema("IMC_VERIFICATION_TOKEN"), {
    title: { en: "Verification token", zh: "校验令牌" },
    help: {
      en: "Environment variable with the verification token. Empty: not checked",
      zh: "保存校验令牌的环境变量；留空则不校验",
    },
  }),
  webhook_url: withLabel(Joi.string().uri({ scheme: "https" }).allow("").default(""), {
    title: { en: "Webhook address", zh: "Webhook 地址" },
    help: { en: "Address entered on the platform. Only a note", zh: "在平台填写的地址，仅作记录" },
  }),
  region: withLabel(Joi.string().valid("cn", "intl").default("cn"), {
    help: { en: "The platform's own region", zh: "平台所在区域" },
    title: { en: "Region", zh: "区域" },
    options: {
      cn: { en: "Feishu (China)", zh: "飞书（中国）" },
      intl: { en: "Lark (international)", zh: "Lark（国际）" },
    },
  }),
  api_base: withLabel(
    Joi.string()
      .uri({ scheme: ["https", "http"] })
      .allow(""),
    {
      title: { en: "API server", zh: "API 服务器" },
      help: { en: "API server. Empty: the platform's own", zh: "服务器地址；留空使用平台默认" },
    },
  ),
});

const DOMAINS = { cn: "https://open.feishu.cn", intl: "https://open.larksuite.com" } as const;

/** Returns the address of the platform without a slash at the end. */
export function getDomain({ api_base, region }: Pick<ImcSettings, "api_base" | "region">): string {
  return (api_base || DOMAINS[region]).replace(/\/+$/, "");
}
