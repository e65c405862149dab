import type { en } from "./en.ts";

/** Chinese texts of adapter generic. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  nobody: "未设置 auth.secret_env，将拒绝所有请求",
  open: "此 Webhook 是开放的，任何人都可以向它发送",
  over_https: "须为 https 地址，http 仅限本机",
};
