import { createTexts } from "../../shared/i18n/i18n.ts";

export const useTexts = createTexts("settings", {
  settingsHint: ["Settings you can change while the service runs.", "可以在服务运行时修改的设置。"],
  group_general: ["General", "常规"],
  group_answering: ["Answering", "回答"],
  group_people: ["People", "人员"],
  group_network: ["Network", "网络"],
  fromEnvironment: ["Set by the environment.", "由环境变量设置。"],
  needsRestart: ["Takes effect after a restart.", "重启后生效。"],
  toDefault: ["Reset to default", "恢复默认"],
  searchSettings: ["Search settings", "搜索设置"],
  noSettingMatches: ["No settings match.", "没有匹配的设置。"],
  nothingFound: ["Nothing found", "没有找到"],
  savedForRestart: ["Saved. It takes effect after a restart.", "已保存，重启后生效。"],
  discard: ["Discard", "放弃更改"],
});
