import Joi from "@hapi/joi";
import { labelled, withPattern } from "@parley/core";

/** Settings of an imA channel. */
export interface ImaSettings {
  readonly mode: "forward_ws" | "reverse_ws" | "http";
  readonly ws_uri: string;
  readonly access_token_env: string;
  readonly http_secret_env: string;
  readonly self_id: string;
}

export const imaSettings = Joi.object<ImaSettings, true>({
  mode: labelled(
    Joi.string().valid("forward_ws", "reverse_ws", "http").default("forward_ws").description("Which side connects"),
    {
      title: { en: "Connection", zh: "连接方式" },
      help: { en: "Which side connects", zh: "由哪一方建立连接" },
      options: {
        forward_ws: { en: "Parley connects to the bridge (forward_ws)", zh: "本服务连接桥（forward_ws）" },
        reverse_ws: { en: "the bridge connects to Parley (reverse_ws)", zh: "桥连接本服务（reverse_ws）" },
        http: { en: "the bridge only posts events (http)", zh: "桥只上报事件（http）" },
      },
    },
  ),
  ws_uri: Joi.string()
    .uri({ scheme: ["ws", "wss"] })
    .allow("")
    .default("")
    .description("Address of the bridge. Empty: the variable IMA_WS_URI"),
  access_token_env: Joi.string()
    .allow("")
    .default("IMA_ACCESS_TOKEN")
    .description("Environment variable with the access token"),
  http_secret_env: Joi.string()
    .allow("")
    .default("")
    .description("Environment variable with the secret of posted events"),
  self_id: withPattern(Joi.string(), /^\d{1,20}$/, { en: "must be digits", zh: "须为数字" })
    .allow("")
    .default("")
    .description("The account. Empty: taken from the bridge"),
});
