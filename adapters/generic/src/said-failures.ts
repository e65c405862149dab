import { failuresOf } from "@parley/core";

/** Localized errors of a webhook. */
export const genericFailure = failuresOf("generic", {
  nobody: { en: "auth.secret_env is not set: all requests are rejected", zh: "未设置 auth.secret_env，将拒绝所有请求" },
  open: { en: "the webhook is open: anyone can send messages to it", zh: "此 Webhook 是开放的，任何人都可以向它发送" },
  over_https: {
    en: "must be an https address; http is allowed on this machine only",
    zh: "须为 https 地址，http 仅限本机",
  },
});
