import type { en } from "./en.ts";

/** Chinese texts of plugin sticker. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  no_web_address: "须为 http 或 https 地址，且不含用户名和密码",
};
