import type { en } from "./en.ts";

/** Chinese texts of plugin chat. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  id_taken: "已有提示词“{id}”",
  not_yours: "仅创建者和管理员可以修改",
  nothing: "没有可总结的内容",
  summary_late: "未能及时生成摘要",
  answers_off: "AI 回答已关闭",
  too_late: "模型未能在本次处理的时限内应答",
  tools_only: "模型没有应答：只要求调用工具",
  command_unknown: "没有命令 {name}",
  command_admin: "{name} 仅限管理员使用",
  command_model_unknown: "没有对话模型“{name}”",
  command_model_set: "此处使用 {name}。",
  command_new: "新会话：{name}（{id}）",
  command_aliases: "{description}\n别名：{aliases}",
  command_models: "当前使用：{model}{others}",
  command_model_default: "此会话现在使用默认模型。",
};
