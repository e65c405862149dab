import Joi from "@hapi/joi";
import { setting, textOf } from "@parley/core";

export const NOTICE = setting<string>({
  key: "filter.notice",
  schema: textOf(500).default(""),
  group: "answering",
  title: { en: "What the sender of a blocked message is told", zh: "消息被拦截时告知发送者的文字" },
  help: {
    en: "On channels and in the console. Empty: nothing is sent to channels.",
    zh: "在渠道和控制台中显示。留空：不向渠道发送任何内容。",
  },
});

export const HISTORY_DAYS = setting<number>({
  key: "filter.history_days",
  schema: Joi.number().integer().min(1).max(3_650).strict().default(30),
  group: "answering",
  title: { en: "Days that hits of the filter are kept", zh: "过滤命中记录的保留天数" },
});

export const HISTORY_MOST = setting<number>({
  key: "filter.history_most",
  schema: Joi.number().integer().min(0).max(100_000).strict().default(5_000),
  group: "answering",
  title: { en: "Most hits of the filter that are kept", zh: "过滤命中记录的最多条数" },
  help: {
    en: "The beginning of the text is kept with each, so that a rule can be judged. 0: none is kept.",
    zh: "每条记录保留消息开头的文字，便于判断规则是否合适。0：不保留。",
  },
});
