import type { en } from "./en.ts";

/** Chinese texts of plugin chat. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  id_taken: "已有提示词“{id}”",
  not_yours: "仅创建者和管理员可以修改",
  nothing: "没有可总结的内容",
  summary_late: "未能及时生成摘要",
};
