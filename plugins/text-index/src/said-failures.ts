import { failuresOf } from "@parley/core";

/** Localized errors of the text index. */
export const indexFailure = failuresOf("text_index", {
  closed: { en: "the text index is closed", zh: "文本索引已关闭" },
  failed: { en: "the text index failed", zh: "文本索引出错" },
});
