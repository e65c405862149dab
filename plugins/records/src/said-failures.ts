import { failuresOf } from "@parley/core";

/** Localized errors of records of any kind. */
export const recordFailure = failuresOf("records", {
  file_contested: { en: "the file keeps being changed by others", zh: "此文件一直在被他人修改" },
  file_locked: { en: "the file cannot be written at the moment", zh: "暂时无法写入此文件" },
  fixed: { en: "cannot be changed", zh: "不能更改" },
  contested: { en: "{name} '{id}' keeps being changed by others", zh: "“{id}”一直在被他人修改" },
  many_at_once: { en: "too many requests at once", zh: "同时到达的请求过多" },
  sealed: {
    en: "a stored secret cannot be decrypted: it was encrypted with a different key",
    zh: "已保存的密钥无法解密：加密所用的密钥与当前不同",
  },
  taken: { en: "'{value}' is taken", zh: "“{value}”已被使用" },
});
