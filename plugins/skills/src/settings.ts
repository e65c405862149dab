import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const SKILL_SCRIPTS = setting({
  key: "features.skill_scripts",
  schema: Joi.boolean().strict().default(false),
  group: "answering",
  title: { en: "The AI may run scripts of skills", zh: "AI 可运行技能脚本" },
  help: {
    en: "Each run asks for approval. Scripts run isolated and without network. Requires bubblewrap.",
    zh: "每次运行前都会询问。脚本在隔离环境中运行且没有网络，需要安装 bubblewrap。",
  },
});
