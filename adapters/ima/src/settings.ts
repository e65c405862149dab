import Joi from "@hapi/joi";

/** Settings of an imA channel. */
export interface ImaSettings {
  readonly mode: "forward_ws" | "reverse_ws" | "http";
  readonly ws_uri: string;
  readonly access_token_env: string;
  readonly http_secret_env: string;
  readonly self_id: string;
}

export const imaSettings = Joi.object<ImaSettings, true>({
  mode: Joi.string()
    .valid("forward_ws", "reverse_ws", "http")
    .default("forward_ws")
    .description("Who connects: we dial the bridge, the bridge dials us, or it only posts events"),
  ws_uri: Joi.string()
    .uri({ scheme: ["ws", "wss"] })
    .allow("")
    .default("")
    .description("Address of the bridge; empty: the variable IMA_WS_URI"),
  access_token_env: Joi.string()
    .allow("")
    .default("IMA_ACCESS_TOKEN")
    .description("Environment variable with the access token"),
  http_secret_env: Joi.string()
    .allow("")
    .default("")
    .description("Environment variable with the secret of posted events"),
  self_id: Joi.string()
    .pattern(/^\d{1,20}$/, "digits")
    .allow("")
    .default("")
    .description("The account; empty: learned from the bridge"),
});
