import { sentencesOf } from "@parley/core";

/** Creates localized log lines of memory jobs. */
export const memoryLine = sentencesOf("memory", {
  by_form: {
    en: "no model could read it, so fixed patterns were used: {reason}",
    zh: "没有模型能阅读它，仅按固定规则提取：{reason}",
  },
  vectors: { en: "{count} memories got embeddings", zh: "已为 {count} 条计算向量" },
  were_new: { en: "{count} of {found} were new", zh: "找到 {found} 条，其中 {count} 条是新的" },
});
