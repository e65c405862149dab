import { failuresOf } from "@parley/core";

/** Localized errors of the platform of imC. */
export const imcFailure = failuresOf("imC", {
  app_shape: { en: "must be cli_ and 16 hex digits", zh: "必须是 cli_ 加 16 位十六进制数字" },
  lost: { en: "the connection was lost", zh: "连接已断开" },
  not_connected: { en: "the connection could not be made", zh: "未能连接" },
  not_taken: { en: "the platform rejected the connection", zh: "平台没有接受连接" },
  open: {
    en: "the webhook is open: neither an encrypt key nor a verification token is set",
    zh: "未设置加密密钥和校验令牌，此 Webhook 是开放的",
  },
  platform: { en: "{reason}", zh: "无法建立长连接：“{reason}”" },
});
