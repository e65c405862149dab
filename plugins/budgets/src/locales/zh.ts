import type { en } from "./en.ts";

/** Chinese texts of plugin budgets. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  over: "预算“{budget}”已用完，将于 {resets} 重置。",
  id_taken: "已有 ID 为“{id}”的预算",
  no_cheaper: "请选择更便宜的模型",
  not_chat: "“{id}”不是对话模型",
  no_target: "针对全部的预算没有目标",
  pruned: "已清理 {count} 条旧记录",
};
