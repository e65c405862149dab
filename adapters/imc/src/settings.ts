import Joi from "@hapi/joi";
import { labelled } from "@parley/core";

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
  app_id: Joi.string().allow("").max(64).default("").description("The app ID. Empty: the variable IMC_APP_ID"),
  app_secret_env: variableSchema("IMC_APP_SECRET").description("Environment variable with the app's secret"),
  encrypt_key_env: variableSchema("IMC_ENCRYPT_KEY").description(
    "Environment variable with the encrypt key. Empty: events are neither encrypted nor signed",
  ),
  verification_token_env: variableSchema("IMC_VERIFICATION_TOKEN").description(
    "Environment variable with the verification token. Empty: not checked",
  ),
  webhook_url: Joi.string()
    .uri({ scheme: "https" })
    .allow("")
    .default("")
    .description("Address entered on the platform. Only a note"),
  region: labelled(Joi.string().valid("cn", "intl").default("cn").description("The platform's own region"), {
    title: { en: "Region", zh: "区域" },
    options: {
      cn: { en: "Feishu (China)", zh: "飞书（中国）" },
      intl: { en: "Lark (international)", zh: "Lark（国际）" },
    },
  }),
  api_base: Joi.string()
    .uri({ scheme: ["https", "http"] })
    .allow("")
    .description("API server. Empty: the platform's own"),
});

const DOMAINS = { cn: "https://open.feishu.cn", intl: "https://open.larksuite.com" } as const;

/** Without a slash at the end. */
export function getDomain({ api_base, region }: Pick<ImcSettings, "api_base" | "region">): string {
  return (api_base || DOMAINS[region]).replace(/\/+$/, "");
}
