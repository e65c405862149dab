import { failuresOf } from "@parley/core";

/** What goes wrong with searches by words, for people in both languages. */
export const indexFailure = failuresOf("text_index", {
  closed: { en: "the text index is closed", zh: "文本索引已关闭" },
  failed: { en: "the text index failed", zh: "文本索引出错" },
});
