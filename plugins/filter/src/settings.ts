import Joi from "@hapi/joi";
import { setting, textOf } from "@parley/core";

export const NOTICE = setting<string>({
  key: "filter.notice",
  schema: textOf(500).default(""),
  group: "answering",
  title: { en: "Reply to the sender of a blocked message", zh: "消息被拦截时告知发送者的文字" },
  help: {
    en: "On channels and in the console. Empty: nothing is sent on channels.",
    zh: "在渠道和控制台中显示。留空：不向渠道发送任何内容。",
  },
});

export const HISTORY_DAYS = setting<number>({
  key: "filter.history_days",
  schema: Joi.number().integer().min(1).max(3_650).strict().default(30),
  group: "answering",
  title: { en: "Days to keep filter hits", zh: "过滤命中记录的保留天数" },
});

export const HISTORY_MOST = setting<number>({
  key: "filter.history_most",
  schema: Joi.number().integer().min(0).max(100_000).strict().default(5_000),
  group: "answering",
  title: { en: "Maximum filter hits kept", zh: "过滤命中记录的最多条数" },
  help: {
    en: "Each hit keeps the beginning of the message, so that you can judge the rule. 0: none are kept.",
    zh: "每条记录保留消息开头的文字，便于判断规则是否合适。0：不保留。",
  },
});
