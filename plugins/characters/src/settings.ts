import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const AUTO_STATE_INTERVAL = setting<number>({
  key: "chat.auto_state_interval",
  schema: Joi.number().integer().min(0).max(100).strict().default(3),
  group: "answering",
  title: { en: "Evaluate the mood every … answers", zh: "每隔几次回复由模型评估状态" },
  help: {
    en: "A model reads the latest messages and evaluates how the character feels. 0: never. Each time takes one model call.",
    zh: "由模型阅读最近的消息并给出角色状态；0 表示从不。每次消耗一次模型调用。",
  },
});
