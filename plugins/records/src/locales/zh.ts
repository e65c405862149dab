import type { en } from "./en.ts";

/** Chinese texts of plugin records. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  contested: "“{id}”一直在被他人修改",
  copy_broken: "{problem}；上次有效内容的副本也无法使用：{copy}",
  file_contested: "此文件一直在被他人修改",
  file_locked: "暂时无法写入此文件",
  fixed: "不能更改",
  many_at_once: "同时到达的请求过多",
  sealed: "已保存的密钥无法解密：加密所用的密钥与当前不同",
  taken: "“{value}”已被使用",
  file_broken: "须先修复此文件：{problem}",
};
