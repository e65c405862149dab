import { textsOf } from "../i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("cron", {
  everyDay: ["daily", "每天"],
  plan: ["{{days}}, {{time}}", "{{days}} {{time}}"],
});
