import { failuresOf } from "@parley/core";

/** Creates localized errors about summaries and saved prompts. */
export const chatFailure = failuresOf("chat", {
  id_taken: { en: "there is a prompt '{id}' already", zh: "已有提示词“{id}”" },
  not_yours: { en: "only its creator and administrators can change it", zh: "仅创建者和管理员可以修改" },
  nothing: { en: "there is nothing to summarise", zh: "没有可总结的内容" },
  summary_late: { en: "the summary was not ready in time", zh: "未能及时生成摘要" },
});
