import Joi from "@hapi/joi";
import { withLabel, withPattern } from "@parley/core";

/** Settings of an imA channel. */
export interface ImaSettings {
  readonly mode: "forward_ws" | "reverse_ws" | "http";
  readonly ws_uri: string;
  readonly access_token_env: string;
  readonly http_secret_env: string;
  readonly self_id: string;
}

export const imaSettings = Joi.object<ImaSettings, true>({
  mode: withLabel(Joi.string().valid("forward_ws", "reverse_ws", "http").default("forward_ws"), {
    title: { en: "Connection", zh: "连接方式" },
    help: { en: "Which side connects", zh: "由哪一方建立连接" },
    options: {
      forward_ws: { en: "Parley connects to the bridge (forward_ws)", zh: "本服务连接桥（forward_ws）" },
      reverse_ws: { en: "the bridge connects to Parley (reverse_ws)", zh: "桥连接本服务（reverse_ws）" },
      http: { en: "the bridge only posts events (http)", zh: "桥只上报事件（http）" },
    },
  }),
  ws_uri: withLabel(
    Joi.string()
      .uri({ scheme: ["ws", "wss"] })
      .allow("")
      .default(""),
    {
      title: { en: "Bridge address", zh: "网桥地址" },
      help: {
        en: "Address of the bridge. Empty: the variable IMA_WS_URI",
        zh: "网桥的地址；留空则使用环境变量 IMA_WS_URI",
      },
    },
  ),
  access_token_env: withLabel(Joi.string().allow("").default("IMA_ACCESS_TOKEN"), {
    title: { en: "Access token", zh: "访问令牌" },
    help: { en: "Environment variable with the access token", zh: "保存访问令牌的环境变量" },
  }),
  http_secret_env: withLabel(Joi.string().allow("").default(""), {
    title: { en: "Event secret", zh: "事件上报密钥" },
    help: { en: "Environment variable with the secret of posted events", zh: "保存事件上报密钥的环境变量" },
  }),
  self_id: withLabel(
    withPattern(Joi.string(), /^\d{1,20}$/, { en: "must be digits", zh: "须为数字" })
      .allow("")
      .default(""),
    {
      title: { en: "Account", zh: "机器人账号" },
      help: { en: "The account. Empty: taken from the bridge", zh: "机器人账号；留空则从网桥获取" },
    },
  ),
});
