import Joi from "@hapi/joi";
import { labelled, reportProblem, withPattern } from "@parley/core";
import { genericTexts } from "./texts.ts";

/** Settings of a channel that any program can post to. */
export interface GenericSettings {
  readonly auth: { readonly type: "none" | "static" | "hmac" | "ip"; readonly secret_env: string };
  readonly allowed_ips: readonly string[];
  readonly mapping: Readonly<Partial<Record<MappedKey, string>>>;
  readonly reply_mode: "async" | "sync";
  readonly outbound_url: string;
  readonly outbound_token_env: string;
  readonly outbound_secret_env: string;
  readonly timeout_s: number;
}

export const MAPPED_KEYS = [
  "content",
  "conversation_id",
  "user_id",
  "message_id",
  "sender",
  "reply_to",
  "timestamp",
  "attachments",
  "is_group",
  "mentioned",
] as const;
export type MappedKey = (typeof MAPPED_KEYS)[number];

const pathSchema = withPattern(Joi.string().max(200), /^[^.[\]]+(?:\.[^.[\]]+|\[\d+\])*$/, {
  en: "must be a path such as event.items[0].id",
  zh: "须为路径，例如 event.items[0].id",
});

/** Answers and the token beside them are not for everybody on the way. */
function isConfidentialUrl(url: string): boolean {
  const { protocol, hostname = "" } = URL.parse(url) ?? {};
  return protocol === "https:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

const variableSchema = Joi.string().allow("").default("");

export const genericSettings = Joi.object<GenericSettings>({
  auth: Joi.object({
    type: labelled(Joi.string().valid("none", "static", "hmac", "ip").description("What a request is checked by"), {
      title: { en: "Check", zh: "验证方式" },
      options: {
        none: { en: "none: anyone may post", zh: "不验证，任何人都可发送" },
        static: { en: "a token in X-Svc-Token", zh: "X-Svc-Token 中的令牌" },
        hmac: { en: "a signature (HMAC)", zh: "签名（HMAC）" },
        ip: { en: "only the allowed addresses", zh: "仅允许的地址" },
      },
    }),
    secret_env: variableSchema.description("Environment variable with the token or key"),
  })
    .custom((auth: Partial<GenericSettings["auth"]>) => ({ type: "static", ...auth }))
    .default({ type: "none", secret_env: "" })
    .description("How senders are verified"),
  allowed_ips: Joi.array()
    .items(Joi.string().ip({ cidr: "optional" }))
    .default([])
    .description("Addresses and networks that may send messages. Empty: all"),
  mapping: Joi.object(Object.fromEntries(MAPPED_KEYS.map((key) => [key, pathSchema])))
    .default({})
    .description("Where to find each field if the body has a format of its own"),
  reply_mode: labelled(Joi.string().valid("async", "sync").default("async").description("When the answer comes"), {
    title: { en: "How it answers", zh: "回复方式" },
    options: {
      async: { en: "in a separate message", zh: "另行发送" },
      sync: { en: "in the response to the request", zh: "在请求的响应中返回" },
    },
  }),
  outbound_url: Joi.string()
    .uri({ scheme: ["https", "http"] })
    .custom((url: string, helpers) =>
      isConfidentialUrl(url) ? url : reportProblem(genericTexts.error("bad_request", "over_https"), helpers),
    )
    .allow("")
    .default("")
    .description("Where replies are sent: https, or http on this machine"),
  outbound_token_env: variableSchema.description("Environment variable with the bearer token for outbound_url"),
  outbound_secret_env: variableSchema.description("Environment variable with the key that signs replies"),
  timeout_s: Joi.number().min(1).max(60).default(10).description("Seconds until sending a reply times out"),
});
