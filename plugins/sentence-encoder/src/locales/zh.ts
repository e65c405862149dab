import type { en } from "./en.ts";

/** Chinese texts of plugin sentence-encoder. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  closed: "句子编码器已关闭",
  failed: "句子编码器出错：{why}",
};
