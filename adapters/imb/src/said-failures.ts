import { failuresOf } from "@parley/core";

/** Localized errors of the platform of imB and its webhook. */
export const imbFailure = failuresOf("imB", {
  https: { en: "must be https", zh: "必须是 https" },
  no_address: { en: "is missing, or is not an address", zh: "缺少，或不是有效的地址" },
  no_webhook: {
    en: "nothing is received: no webhook is registered with the platform",
    zh: "收不到消息：平台上没有登记 Webhook",
  },
  no_user: { en: "must not contain a user name or a fragment", zh: "不能含有用户名或 # 片段" },
  open: { en: "the webhook is open: no secret is set", zh: "未设置密钥，此 Webhook 是开放的" },
  other_address: { en: "the platform has a different address", zh: "平台登记的是另一个地址" },
  other_end: { en: "must end with {path}", zh: "必须以 {path} 结尾" },
  port: { en: "the port must be 443, 80, 88 or 8443", zh: "端口必须是 443、80、88 或 8443" },
  sends_elsewhere: {
    en: "nothing is received: the platform sends to another address, at {host}",
    zh: "收不到消息：平台把消息发往另一个地址（{host}）",
  },
  secret_letters: {
    en: "the secret in {variable} may contain only letters, digits, _ and -, at most 256",
    zh: "{variable} 中的密钥只能含有字母、数字、_ 和 -，最多 256 个",
  },
});
