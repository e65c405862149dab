import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const TITLE_SETTING = setting({
  key: "web.title",
  schema: Joi.string().trim().min(1).max(60).default("Parley"),
  group: "general",
  title: { en: "Title", zh: "标题" },
  help: { en: "Name of the console and the installed app.", zh: "控制台和已安装应用的名称。" },
});
