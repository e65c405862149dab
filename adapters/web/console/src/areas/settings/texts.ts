import { textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文]; what a setting is called comes with it, from the plugin that offers it. */
export const useTexts = textsOf("settings", {
  general: ["General", "常规"],
  answering: ["Answering", "回答"],
  people: ["People", "人员"],
  network: ["Network", "网络"],
  connections: ["Connections", "连接"],
  system: ["System", "系统"],
  fromEnvironment: ["Set by the environment.", "由环境变量设置。"],
  needsRestart: ["Takes effect after a restart.", "重启后生效。"],
});
