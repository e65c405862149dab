import { textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("plugins", {
  needed: ["needed by the console", "控制台需要"],
  switchOff: ["Switch off", "关闭"],
  switchOffHint: [
    "What it adds disappears at once and stays off after a restart, until it is switched on again here:",
    "它提供的功能会立即消失，重启后也是如此，直到在此重新启用：",
  ],
  switchOffNothing: ["It adds nothing that is listed here.", "此处没有已知的提供内容。"],
  from: ["From", "来源"],
  adds: ["Adds", "提供"],
  pluginsHint: [
    "Installed plugins. Changes take effect at once; no message is lost.",
    "此处运行的插件。更改立即生效，不会丢失消息。",
  ],
  details: ["Details and settings", "详情与设置"],
  whyNeeded: ["Cannot be switched off here", "不能在此关闭"],
  package: ["Package", "软件包"],
  seekPlugins: ["Search the plugins", "搜索插件"],
  noSuchPlugin: ["No plugin matches.", "没有包含这些词的插件。"],
  runningOf: ["{{running}} of {{all}} running", "{{all}} 个中有 {{running}} 个正在运行"],
  reloadOne: ["Reload", "重新加载"],
  reloadedOne: ["{{name}} was reloaded.", "{{name}} 已重新加载。"],
  addsRows: ["parts of the API", "API 接口组"],
  addsRecords: ["kinds of records", "记录类型"],
  addsTools: ["tools", "工具"],
  addsStages: ["steps of a turn", "处理步骤"],
  addsChannels: ["channel types", "渠道类型"],
  addsCommands: ["chat commands", "聊天命令"],
  addsPages: ["pages", "页面"],
  addsSettings: ["settings", "设置"],
  addsProtocols: ["model protocols", "模型协议"],
  addsPrompts: ["parts of the prompt", "提示词部分"],
  addsJobs: ["kinds of jobs", "后台任务类型"],
  addsTasks: ["kinds of tasks", "定时任务类型"],
  addsMcp: ["MCP resources and prompts", "MCP 资源与提示"],
});
