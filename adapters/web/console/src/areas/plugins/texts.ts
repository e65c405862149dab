import { textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("plugins", {
  needed: ["needed by the console", "控制台需要"],
  switchOff: ["Switch off", "关闭"],
  switchOffHint: [
    "What it adds is gone at once, also after a restart, until it is switched on again here:",
    "它提供的功能会立即消失，重启后也是如此，直到在此重新启用：",
  ],
  switchOffNothing: ["It adds nothing that is known here.", "此处没有已知的提供内容。"],
  from: ["From", "来源"],
  adds: ["Adds", "提供"],
  pluginsHint: [
    "What runs here. Changes take effect at once, without losing a message.",
    "此处运行的插件。更改立即生效，不会丢失消息。",
  ],
  details: ["Details and settings", "详情与设置"],
});
