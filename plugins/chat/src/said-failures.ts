import { failuresOf } from "@parley/core";

/** What goes wrong with summaries, for people in both languages. */
export const chatFailure = failuresOf("chat", {
  nothing: { en: "there is nothing to summarize", zh: "没有可总结的内容" },
  summary_late: { en: "the summary was not ready in time", zh: "未能及时生成摘要" },
});
