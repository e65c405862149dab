import Joi from "@hapi/joi";
import { reportProblem, withLabel, withPattern } from "@parley/core";
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

/** Fields of a message whose place in the body can be configured, with their titles. */
const MAPPED_FIELDS = {
  content: { en: "Text", zh: "正文" },
  conversation_id: { en: "Conversation", zh: "会话" },
  user_id: { en: "User", zh: "用户" },
  message_id: { en: "Message ID", zh: "消息 ID" },
  sender: { en: "Sender's name", zh: "发送者名称" },
  reply_to: { en: "Replied-to message", zh: "被回复的消息" },
  timestamp: { en: "Time", zh: "时间" },
  attachments: { en: "Attachments", zh: "附件" },
  is_group: { en: "Group", zh: "是否群聊" },
  mentioned: { en: "Mentioned", zh: "是否提及" },
} as const;
export type MappedKey = keyof typeof MAPPED_FIELDS;
export const MAPPED_KEYS = Object.keys(MAPPED_FIELDS) as readonly MappedKey[];

const pathSchema = withPattern(Joi.string().max(200), /^[^.[\]]+(?:\.[^.[\]]+|\[\d+\])*$/, {
  en: "must be a path such as event.items[0].id",
  zh: "须为路径，例如 event.items[0].id",
});

/** True when nobody on the network can read requests to this URL, which contain answers and the token. */
function isConfidentialUrl(url: string): boolean {
  const { protocol, hostname = "" } = URL.parse(url) ?? {};
  return protocol === "https:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

const MAPPING_SCHEMAS = Object.fromEntries(
  Object.entries(MAPPED_FIELDS).map(([key, title]) => [key, withLabel(pathSchema, { title })]),
);
const variableSchema = Joi.string().allow("").default("");

export const genericSettings = Joi.object<GenericSettings>({
  auth: withLabel(
    Joi.object({
      type: withLabel(Joi.string().valid("none", "static", "hmac", "ip"), {
        help: { en: "How a request proves who sent it", zh: "请求以何种方式证明发送方" },
        title: { en: "Check", zh: "验证方式" },
        options: {
          none: { en: "none: anyone may post", zh: "不验证，任何人都可发送" },
          static: { en: "a token in X-Svc-Token", zh: "X-Svc-Token 中的令牌" },
          hmac: { en: "a signature (HMAC)", zh: "签名（HMAC）" },
          ip: { en: "only the allowed addresses", zh: "仅允许的地址" },
        },
      }),
      secret_env: withLabel(variableSchema, {
        title: { en: "Token or key", zh: "令牌或密钥" },
        help: { en: "Environment variable with the token or key", zh: "保存令牌或密钥的环境变量" },
      }),
    })
      .custom((auth: Partial<GenericSettings["auth"]>) => ({ type: "static", ...auth }))
      .default({ type: "none", secret_env: "" }),
    {
      title: { en: "Sender verification", zh: "发送方验证" },
      help: { en: "How senders are verified", zh: "如何验证发送方" },
    },
  ),
  allowed_ips: withLabel(
    Joi.array()
      .items(Joi.string().ip({ cidr: "optional" }))
      .default([]),
    {
      title: { en: "Allowed addresses", zh: "允许的地址" },
      help: {
        en: "Addresses and networks that may send messages. Empty: all, or none if only allowed addresses may send",
        zh: "允许发送的地址和网段；留空表示全部，若验证方式为“仅允许的地址”则全部拒绝",
      },
    },
  ),
  mapping: withLabel(Joi.object(MAPPING_SCHEMAS).default({}), {
    title: { en: "Field paths in the body", zh: "消息体字段路径" },
    help: {
      en: "Where to find each field if the body has a format of its own",
      zh: "消息体格式不同时，各字段在其中的路径",
    },
  }),
  reply_mode: withLabel(Joi.string().valid("async", "sync").default("async"), {
    help: { en: "How replies are returned", zh: "以何种方式返回回复" },
    title: { en: "Reply mode", zh: "回复方式" },
    options: {
      async: { en: "in a separate message", zh: "另行发送" },
      sync: { en: "in the response to the request", zh: "在请求的响应中返回" },
    },
  }),
  outbound_url: withLabel(
    Joi.string()
      .uri({ scheme: ["https", "http"] })
      .custom((url: string, helpers) =>
        isConfidentialUrl(url) ? url : reportProblem(genericTexts.error("bad_request", "over_https"), helpers),
      )
      .allow("")
      .default(""),
    {
      title: { en: "Reply address", zh: "回复地址" },
      help: {
        en: "Where replies are sent: https, or http on this machine",
        zh: "回复发送到的地址：https，或本机的 http",
      },
    },
  ),
  outbound_token_env: withLabel(variableSchema, {
    title: { en: "Reply bearer token", zh: "回复的访问令牌" },
    help: {
      en: "Environment variable with the bearer token for outbound_url",
      zh: "保存 outbound_url 访问令牌的环境变量",
    },
  }),
  outbound_secret_env: withLabel(variableSchema, {
    title: { en: "Reply signing key", zh: "回复的签名密钥" },
    help: { en: "Environment variable with the key that signs replies", zh: "保存发送签名密钥的环境变量" },
  }),
  timeout_s: withLabel(Joi.number().min(1).max(60).default(10), {
    title: { en: "Timeout (seconds)", zh: "超时（秒）" },
    help: { en: "Seconds until sending a reply times out", zh: "单次发送的超时（秒）" },
  }),
});
