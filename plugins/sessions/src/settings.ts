import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const GROUP_MEMORY = setting({
  key: "features.group_memory",
  schema: Joi.boolean().strict().default(false),
  group: "answering",
  title: { en: "Remember what groups talk about", zh: "记录群聊内容" },
  help: {
    en: "Messages in groups that are not meant for the bot are stored too, and shown to the model.",
    zh: "群里不是发给机器人的消息也会保存，并提供给模型。",
  },
});
