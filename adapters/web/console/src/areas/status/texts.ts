import { type KeyOf, textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("status", {
  version: ["Version", "版本"],
  uptime: ["Running for", "已运行"],
  messagesToday: ["Messages today", "今日消息"],
  messagesTotal: ["Messages in all", "消息总数"],
  sessionsActive: ["Active conversations", "活跃会话"],
  tokensToday: ["Tokens today", "今日 token"],
  tokensMonth: ["Tokens this month", "本月 token"],
  parts: ["Parts", "组件"],
  part_storage: ["storage", "存储"],
  part_settings: ["settings", "设置"],
  part_jobs: ["jobs", "作业"],
  part_models: ["models", "模型"],
  part_channels: ["channels", "渠道"],
  part_filter: ["filter", "过滤"],
  day: ["Day", "天"],
  week: ["Week", "周"],
  month: ["Month", "月"],
  people: ["people", "用户"],
  searchLogs: ["Search the log", "搜索日志"],
  reloadedLater: ["Read again. These need a restart", "已重新读取，以下需要重启"],
  reloadConfig: ["Read the configuration again", "重新读取配置"],
  reloadCore: ["Load the plugins again", "重新加载插件"],
  reloaded: ["Done", "完成"],
  logs: ["Log", "日志"],
  level: ["Level", "级别"],
  debug: ["debug", "调试"],
  info: ["info", "信息"],
  warning: ["warning", "警告"],
  error: ["error", "错误"],
  noLogs: ["Nothing was logged at this level.", "此级别没有日志。"],
  degraded: ["ready, with problems", "就绪，但有问题"],
  api: ["API description", "API 文档"],
});

export type TextKey = KeyOf<typeof useTexts>;
