import Joi from "@hapi/joi";
import { setting } from "@parley/core";

/** Switches passages of the knowledge base in answers on or off; its routes and tools work either way. */
export const KNOWLEDGE = setting<boolean>({
  key: "features.knowledge",
  schema: Joi.boolean().strict().default(true),
  group: "answering",
  title: { en: "Use the knowledge base", zh: "使用知识库" },
  help: {
    en: "Adds fitting passages of the knowledge base to what the model reads. When off, documents stay and can still be searched.",
    zh: "把知识库中相关的段落提供给模型。关闭后文档仍保留，也仍可搜索。",
  },
});
