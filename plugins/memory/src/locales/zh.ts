import type { en } from "./en.ts";

/** Chinese texts of plugin memory. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  by_form: "没有模型能阅读它，仅按固定规则提取：{reason}",
  days_of_short: "expire_days 只能用于 short 类型",
  fixed: "不能更改",
  full: "记忆已达上限（{limit} 条）",
  many: "一次最多 {most} 条",
  no_character: "找不到角色“{id}”",
  no_memory: "不是记忆",
  nobody: "不在会话中",
  not_one: "须属于同一人和同一角色，且均未被取代",
  nothing_in_it: "其中没有记忆",
  off: "记忆已关闭",
  temporary: "临时会话不会留下记忆",
  vectors: "已为 {count} 条记忆计算向量",
  were_new: "找到 {found} 条，其中 {count} 条是新的",
  word_twice: "有重复的词",
  command_usage: "/记忆 · /记忆 忘记 <编号或词语> · /记忆 更正 <编号> <内容> · /记忆 导出",
  command_nothing: "这里没有关于你的记忆。",
  command_no_number: "没有编号为 {number} 的记忆。",
  command_forgotten: "已忘记：{content}",
  command_no_match: "没有关于“{words}”的记忆。",
  command_matches: "{list}\n/记忆 忘记 <编号>",
  command_corrected: "已记住：{content}",
  forgot_nothing: "关于这一点，我没有任何关于你的记忆。",
  forgot_more: "已忘记：{contents}；以及另外 {more} 条",
};
