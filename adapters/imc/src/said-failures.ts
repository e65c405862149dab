import { failuresOf } from "@parley/core";

/** What goes wrong with the platform of imC, for people in both languages. */
export const imcFailure = failuresOf("imC", {
  app_shape: { en: "must be cli_ and 16 hex digits", zh: "必须是 cli_ 加 16 位十六进制数字" },
  lost: { en: "the connection was lost", zh: "连接已断开" },
  not_connected: { en: "it could not be connected", zh: "未能连接" },
  not_taken: { en: "the platform does not take the connection", zh: "平台没有接受连接" },
  open: {
    en: "the webhook is open: neither encrypt key nor verification token is configured",
    zh: "未设置 Encrypt Key 和 Verification Token，此 webhook 是开放的",
  },
  platform: { en: "{reason}", zh: "无法建立长连接：“{reason}”" },
});
