import type { en } from "./en.ts";

/** Chinese texts of adapter imc. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  app_shape: "必须是 cli_ 加 16 位十六进制数字",
  lost: "连接已断开",
  not_taken: "平台没有接受连接",
  open: "未设置加密密钥和校验令牌，此 Webhook 是开放的",
  platform: "无法建立长连接：“{reason}”",
};
