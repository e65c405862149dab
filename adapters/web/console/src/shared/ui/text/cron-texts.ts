import { createTexts } from "../../i18n/i18n.ts";

export const useTexts = createTexts("cron", {
  everyDay: ["daily", "每天"],
  plan: ["{{days}}, {{time}}", "{{days}} {{time}}"],
  every: ["every {{time}}", "每 {{time}}"],
  comma: [", ", "，"],
});
