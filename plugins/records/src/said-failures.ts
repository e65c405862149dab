import { failuresOf } from "@parley/core";

/** What goes wrong with records of any kind, for people in both languages. */
export const recordFailure = failuresOf("records", {
  file_contested: { en: "the file is being changed by somebody else all the time", zh: "此文件一直在被他人修改" },
  file_locked: { en: "the file cannot be written now", zh: "暂时无法写入此文件" },
  fixed: { en: "cannot be changed", zh: "不能更改" },
  contested: { en: "{name} '{id}' is changed by others again and again", zh: "“{id}”一直在被他人修改" },
  many_at_once: { en: "too many at once", zh: "同时到达的请求过多" },
  sealed: {
    en: "a stored secret cannot be opened with the key in use",
    zh: "已保存的密钥无法解密：加密它的密钥与当前使用的不同",
  },
  taken: { en: "'{value}' is taken", zh: "“{value}”已被使用" },
});
